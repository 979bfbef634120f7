const BEFORE = '"aggregateId":"';
const LENGTH = 36;

/**
 * Returns SQL for the aggregate's id in the text `body` of an event. The indexes of the outbox have the same
 * expression. It does not parse JSON, because an index over an expression that can fail could block the
 * publication of a row. A pattern takes ten times as long.
 */
export const aggregateOf = (body: string) =>
  `substr(${body}, position('${BEFORE}' IN ${body}) + ${BEFORE.length}, ${LENGTH})`;

/** Returns the aggregate's id in the text of an event. */
export function aggregateIn(body: string): string {
  const begin = body.indexOf(BEFORE) + BEFORE.length;
  return body.slice(begin, begin + LENGTH);
}
