import type { Database } from '@plataforma/data';

interface Column {
  name: string;
  type: string;
}

interface FlipOptions {
  id: string;
  /** The column that holds `id`. */
  key?: string;
  /** The columns that stay as they are. */
  without: readonly string[];
  /** SQL of further values, per column name or column type. */
  values?: Readonly<Record<string, readonly string[]>>;
  /** The columns that take all their values in turn. The other columns take the first accepted value. */
  inTurn?: readonly string[];
  /** The connection that changes a row back. The service's role can't set back some statuses. */
  owner?: Database;
}

const COLUMNS = `
  SELECT column_name AS name, data_type AS type FROM information_schema.columns
  WHERE table_name = $1 ORDER BY ordinal_position`;

/** Returns SQL of values that a column may get. A row's constraints refuse some of them. */
function candidates({ name, type }: Column, values: Readonly<Record<string, readonly string[]>>): string[] {
  const byType: Record<string, string[]> = {
    uuid: ['gen_random_uuid()'],
    bigint: [`${name} + 100`, `${name} - 100`],
    integer: [`${name} + 1`],
    smallint: ['0', '1', '2'],
    boolean: [`NOT ${name}`],
    bytea: [`${name} || '\\x00'`],
    jsonb: [`${name} || '{"account": "999"}'`, `'{"account": "999"}'`],
    'timestamp with time zone': [`${name} - interval '1 day'`, `now() - interval '1 day'`],
    text: [`${name} || 'x'`, "'x'", "'sandbox'", "'production'"],
  };
  return [...(values[name] ?? []), ...(byType[type] ?? []), ...(values[type] ?? []), 'NULL'];
}

/**
 * Changes each column of a row in turn, and changes it back when the caller asks for the next change. Yields
 * the changes that the database accepts from the role of `insider`, which is that of the service.
 */
export async function* flipColumns(
  insider: Database,
  table: string,
  { id, key = 'id', without, values = {}, inTurn = [], owner = insider }: FlipOptions,
): AsyncGenerator<string> {
  const columns = await insider.query<Column>(COLUMNS, [table]);
  for (const column of columns.filter(({ name }) => !without.includes(name))) {
    const { name } = column;
    for (const value of candidates(column, values)) {
      const [row] = await insider.queryUnprepared<Record<string, unknown>>(
        `SELECT ${name}::text AS old, ${name} IS DISTINCT FROM (${value}) AS differs FROM ${table} WHERE ${key} = $1`,
        [id],
      );
      if (!row?.differs) continue;
      const change = `UPDATE ${table} SET ${name} = ${value} WHERE ${key} = $1 RETURNING ${key}`;
      if (!(await insider.queryUnprepared(change, [id]).catch(() => null))) continue;
      yield `${name} = ${value}`;
      await owner.queryUnprepared(`UPDATE ${table} SET ${name} = $2 WHERE ${key} = $1`, [id, row.old]);
      if (!inTurn.includes(name)) break;
    }
  }
}
