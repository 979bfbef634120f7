import type { Database } from '@plataforma/data';

type Row = Record<string, unknown>;

/** Reads a row with its seal, as an intruder keeps it. */
export async function keepRow(insider: Database, table: string, id: string): Promise<Row> {
  const [kept] = await insider.query<{ row: Row }>(
    `SELECT to_jsonb(kept) AS row FROM ${table} kept WHERE id = $1`,
    [id],
  );
  if (!kept) throw new Error(`${table} has no row ${id}`);
  return kept.row;
}

/**
 * Puts a kept row back by an UPDATE, and by a DELETE and an INSERT. Returns true if the database accepts
 * either from the role of `insider`.
 */
export async function putBack(insider: Database, table: string, kept: Row): Promise<boolean> {
  const names = Object.keys(kept).join(', ');
  const older = `SELECT ${names} FROM jsonb_populate_record(NULL::${table}, $1::jsonb)`;
  const values = [JSON.stringify(kept)];
  const update = `UPDATE ${table} SET (${names}) = (${older}) WHERE id = ($1::jsonb ->> 'id')::uuid`;
  const insert = `
    WITH gone AS (DELETE FROM ${table} WHERE id = ($1::jsonb ->> 'id')::uuid RETURNING id)
    INSERT INTO ${table} (${names}) ${older}`;
  for (const statement of [update, insert]) {
    const isAccepted = await insider.query(statement, values).then(
      () => true,
      () => false,
    );
    if (isAccepted) return true;
  }
  return false;
}
