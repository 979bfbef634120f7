const BEFORE = '"aggregateId":"';
const LENGTH = 36;

/**
 * Returns SQL that finds the aggregate's id in the text `body` of an event. The outbox indexes use the same
 * SQL. The SQL does not parse JSON, because PostgreSQL refuses a row for which an index expression fails. A
 * regular expression would take ten times as long.
 */
export const aggregateOf = (body: string) =>
  `substr(${body}, position('${BEFORE}' IN ${body}) + ${BEFORE.length}, ${LENGTH})`;

/** Returns the aggregate's id in the text of an event. */
export function aggregateIn(body: string): string {
  const begin = body.indexOf(BEFORE) + BEFORE.length;
  return body.slice(begin, begin + LENGTH);
}
