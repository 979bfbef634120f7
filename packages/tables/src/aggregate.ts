const BEFORE = '"aggregateId":"';
const LENGTH = 36;

/**
 * The aggregate that the text of an event is about, in SQL over `body`. Not read as JSON: an index over something that can
 * fail could keep a row from being marked as published. Nor by a pattern, which takes ten times as long. The indexes of
 * the outbox have the same expression.
 */
export const aggregateOf = (body: string) =>
  `substr(${body}, position('${BEFORE}' IN ${body}) + ${BEFORE.length}, ${LENGTH})`;

/** The same of a text at hand. */
export function aggregateIn(body: string): string {
  const begin = body.indexOf(BEFORE) + BEFORE.length;
  return body.slice(begin, begin + LENGTH);
}
