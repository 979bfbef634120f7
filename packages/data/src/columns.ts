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

/** Returns a row's values of these columns, in their order. */
export function valuesIn(row: Readonly<Record<string, unknown>>, columns: readonly string[]): unknown[] {
  return columns.map((column) => row[/ AS "(.*)"/.exec(column)?.[1] ?? column]);
}

/**
 * JSON texts as one parameter, which `string_to_array($1, chr(10))` makes an array again. JSON.stringify breaks no line of
 * its own, and to escape every quotation mark for an array's literal costs both sides more than all else of the text.
 */
export function jsonLines(texts: readonly string[]): string {
  return texts.join('\n');
}

/** Returns rows as JSON for `jsonb_to_recordset`, which takes no unpaired surrogates; text parameters lose them too. */
export function jsonRecords(rows: readonly object[]): string {
  const text = JSON.stringify(rows);
  // JSON escapes an unpaired surrogate; to look at each value takes several times as long as the whole text.
  if (!/\\ud[89a-f]/.test(text)) return text;
  return JSON.stringify(rows, (_name, value) => (typeof value === 'string' ? value.toWellFormed() : value));
}

/** The SQL type of each field of a row. */
export type FieldTypes = Readonly<Record<string, string>>;

/**
 * Returns rows as an item of FROM, with a parameter for the array of each field, counted from `first` on. It costs a batch of
 * hundreds of rows a tenth less than `jsonb_to_recordset`.
 */
export function rowsFrom(types: FieldTypes, { name, first }: { name: string; first: number }): string {
  const arrays = Object.values(types).map((type, at) => `$${first + at}::${type}[]`);
  const fields = Object.keys(types).map((field) => `"${field}"`);
  return `unnest(${arrays.join(', ')}) AS ${name} (${fields.join(', ')})`;
}

/** Returns the values of those parameters. */
export function arraysOf(rows: readonly Readonly<Record<string, unknown>>[], types: FieldTypes): unknown[][] {
  return Object.keys(types).map((field) => rows.map((row) => row[field]));
}

function fieldOf(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
