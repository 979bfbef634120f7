import {
  type Database,
  fieldsOf,
  type Queryable,
  type Row,
  type SealableRow,
  type SealedTable,
  type Transaction,
} from '@plataforma/data';
import { sealOf } from './row-seals.ts';

/** The rows of a sealed table, for a command that seals existing rows. All fields but `rowOf` are SQL. */
export interface SealedRows {
  table: SealedTable;
  /** The key of a row, and its type. A row's field `id` is the key as text. */
  key: string;
  keyType: string;
  /** SQL of the indexed columns of a composite key, and SQL of their values in the key's text. */
  keyColumns?: { names: string; valuesOf: (text: string) => string };
  columns: readonly string[];
  /** The condition for rows that need a seal. The default is all rows. */
  where?: string;
  /** Returns the sealed fields of a row with these columns. The default is the row itself. */
  rowOf?(row: Row): object;
}

/** A step of the sealing command that does more than seal rows. Returns the number of changed rows. */
export interface Sealing {
  table: SealedTable;
  seal(database: Database): Promise<number>;
}

const BATCH = 500;

/** Describes a table with the key `id`. The seal covers all `columns`, in the form of `columnsOf`. */
export function rowsToSeal(
  name: string,
  columns: readonly string[],
  others: Partial<Omit<SealedRows, 'table' | 'columns'>> = {},
): SealedRows {
  const fields = fieldsOf(columns).filter((field) => field !== 'id' && field !== 'seal');
  return { table: { name, fields }, columns, key: 'id', keyType: 'uuid', ...others };
}

/**
 * Seals a row as the transaction has stored it. The transaction must have inserted the row, or have locked it
 * and checked its seal before the change.
 */
export async function saveSeal(
  tx: Transaction,
  { table, key }: SealedRows,
  row: SealableRow | undefined,
): Promise<void> {
  if (!row) return;
  await tx.query(`UPDATE ${table.name} SET seal = $2 WHERE ${key} = $1`, [row.id, sealOf(tx, table, row)]);
}

/**
 * Seals all rows of a table whose seal is missing or different. Returns the number of changed rows. It does
 * not verify the rows. Locks one batch at a time, so that the service can continue.
 */
export async function sealRows(database: Pick<Database, 'transaction'>, rows: SealedRows): Promise<number> {
  let after: string | null = null;
  let changed = 0;
  do {
    const from: string | null = after;
    const batch: Batch = await database.transaction((tx) => sealBatch(tx, rows, from));
    changed += batch.changed;
    after = batch.last;
  } while (after !== null);
  return changed;
}

interface Batch {
  changed: number;
  /** The key of the last row. Null after the last rows of the table. */
  last: string | null;
}

/** Seals the next rows after a key. */
async function sealBatch(
  tx: Queryable,
  { table, key, keyType, columns, where = 'true', rowOf = (row) => row, ...rows }: SealedRows,
  after: string | null,
): Promise<Batch> {
  const others = columns.filter((column) => column !== 'id' && column !== 'seal');
  const selected = [...others, `(${key})::text AS id`, 'seal'];
  const { keyColumns = { names: key, valuesOf: (text) => text } } = rows;
  const select = `
    SELECT ${selected.join(', ')} FROM ${table.name}
    WHERE ($1::${keyType} IS NULL OR (${keyColumns.names}) > (${keyColumns.valuesOf(`$1::${keyType}`)}))
      AND (${where})
    ORDER BY ${keyColumns.names} LIMIT ${BATCH} FOR NO KEY UPDATE`;
  const found = await tx.queryUnprepared<SealableRow & { seal: string | null }>(select, [after]);
  const changes = found
    .map((row) => ({ id: row.id, old: row.seal, seal: sealOf(tx, table, { ...rowOf(row), id: row.id }) }))
    .filter(({ old, seal }) => old !== seal);
  const update = `
    UPDATE ${table.name} SET seal = new_seal
    FROM unnest($1::${keyType}[], $2::text[]) AS new (row_id, new_seal)
    WHERE (${keyColumns.names}) = (${keyColumns.valuesOf('row_id')})`;
  const values = [changes.map(({ id }) => id), changes.map(({ seal }) => seal)];
  if (changes.length > 0) await tx.queryUnprepared(update, values);
  return { changed: changes.length, last: found.length < BATCH ? null : (found.at(-1)?.id ?? null) };
}
