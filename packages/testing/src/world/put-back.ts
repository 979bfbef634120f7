import type { Database } from '@plataforma/data';

type Row = Record<string, unknown>;

/** Reads a row with its seal, as an intruder would copy it. */
export async function keepRow(insider: Database, table: string, id: string): Promise<Row> {
  const [older] = await insider.query<{ row: Row }>(
    `SELECT to_jsonb(older) AS row FROM ${table} older WHERE id = $1`,
    [id],
  );
  if (!older) throw new Error(`${table} has no row ${id}`);
  return older.row;
}

/**
 * Puts an older row back by an UPDATE, and by a DELETE and an INSERT. Returns true if the database accepts
 * either from the role of `insider`.
 */
export async function putBack(insider: Database, table: string, older: Row): Promise<boolean> {
  const names = Object.keys(older).join(', ');
  const selected = `SELECT ${names} FROM jsonb_populate_record(NULL::${table}, $1::jsonb)`;
  const values = [JSON.stringify(older)];
  const update = `UPDATE ${table} SET (${names}) = (${selected}) WHERE id = ($1::jsonb ->> 'id')::uuid`;
  const insert = `
    WITH gone AS (DELETE FROM ${table} WHERE id = ($1::jsonb ->> 'id')::uuid RETURNING id)
    INSERT INTO ${table} (${names}) ${selected}`;
  for (const statement of [update, insert]) {
    const isAccepted = await insider.query(statement, values).then(
      () => true,
      () => false,
    );
    if (isAccepted) return true;
  }
  return false;
}
