const BEFORE = '"aggregateId":"';
const LENGTH = 36;

/**
 * Returns SQL that finds the aggregate's id in the text `body` of an event. The indexes of the outbox use the
 * same SQL. It does not parse JSON, because PostgreSQL could not store a row for which the SQL of an index
 * fails. A regular expression would take ten times as long.
 */
export const aggregateOf = (body: string) =>
  `substr(${body}, position('${BEFORE}' IN ${body}) + ${BEFORE.length}, ${LENGTH})`;

/** Returns the aggregate's id in the text of an event. */
export function aggregateIn(body: string): string {
  const begin = body.indexOf(BEFORE) + BEFORE.length;
  return body.slice(begin, begin + LENGTH);
}
