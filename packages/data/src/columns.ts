/**
 * The columns of a table, as SELECT and RETURNING list them, each under the name of its field: `paid_at` under paidAt,
 * `amount_cents AS amount` as it says. So a row has the fields that the code calls it by.
 */
export function columnsOf(listed: string): string[] {
  return listed.split(',').map((each) => {
    const [column = '', field = fieldOf(column)] = each.trim().split(' AS ');
    return column === field ? column : `${column} AS "${field}"`;
  });
}

/** Their names alone, as INSERT lists them. */
export function namesOf(columns: readonly string[]): string[] {
  return columns.map((column) => column.replace(/ AS .*/, ''));
}

/** What a row has of them, in their order. */
export function valuesIn(row: Readonly<Record<string, unknown>>, columns: readonly string[]): unknown[] {
  return columns.map((column) => row[/ AS "(.*)"/.exec(column)?.[1] ?? column]);
}

function fieldOf(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
