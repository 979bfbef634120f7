import { columnsOf, type Database, type Queryable, type Row, type Transaction } from '@plataforma/data';
import { inSnapshot } from './snapshot.ts';

export interface Page {
  /** The number of the page; the first page is 0. */
  index: number;
  size: number;
}

interface Columns {
  /** The columns that identify a row, in the notation of `columnsOf`. */
  key: string;
  /**
   * All columns that are not in `key`. `AS card.brand` maps a column to the field `brand` of the object
   * `card`. The object is null if its first column is null.
   */
  columns: string;
  /** Fields that are read but not written: the SQL expression of each field. */
  computed?: Readonly<Record<string, string>>;
}

type Filter = readonly [where: string, values: readonly unknown[]];

/** Returns functions that write objects of type T to a table and read them as type R. */
export function tableOf<T extends object, R extends object = T>(
  name: string,
  { key, columns, computed = {} }: Columns,
) {
  const keys = columnsOf(key).map(partsOf);
  const written = [...keys, ...columnsOf(columns).map(partsOf)];
  const names = written.map(({ column }) => column);
  const parameters = names.map((_, index) => `$${index + 1}`);
  const assigned = names.map((column, index) => `${column} = ${parameters[index]}`);

  /**
   * Returns the column list of a SELECT. With a prefix such as `payment.`, the fields are read into the
   * object `payment`.
   */
  const selected = (prefix = '') =>
    [
      ...written.map(({ column, field }) => `${name}.${column} AS "${prefix}${field}"`),
      ...Object.entries(computed).map(([field, sql]) => `${sql} AS "${prefix}${field}"`),
    ].join(', ');
  const select = `SELECT ${selected()} FROM ${name}`;
  const insert = (column: string, value: string) =>
    `INSERT INTO ${name} (${names.join(', ')}${column}) VALUES (${parameters.join(', ')}${value})`;
  const INSERT = insert('', '');
  /** With a null delay the row is never due. */
  const due = `, coalesce(now() + $${names.length + 1} * interval '1 millisecond', 'infinity')`;
  const INSERT_DUE = insert(', due_at', due);
  const SAVE = `UPDATE ${name} SET ${assigned.slice(keys.length).join(', ')}
    WHERE ${assigned.slice(0, keys.length).join(' AND ')}`;

  const list = (db: Queryable, tail: string, values: readonly unknown[] = []) =>
    readObjects<R>(db, `${select} ${tail}`, values);
  const find = async (db: Queryable, tail: string, values: readonly unknown[] = []) =>
    (await list(db, tail, values))[0];
  const valuesOf = (object: T) => written.map(({ field }) => valueAt(object, field));

  return {
    selected,
    list,
    find,

    /**
     * Inserts a row and returns the rows of the RETURNING clause in `tail`. With `delayMs`, the row is due
     * after that time; null means never.
     */
    insert(db: Queryable, object: T, tail = '', delayMs?: number | null): Promise<Row[]> {
      if (delayMs === undefined) return db.query(`${INSERT} ${tail}`, valuesOf(object));
      return db.query(`${INSERT_DUE} ${tail}`, [...valuesOf(object), delayMs]);
    },

    async save(db: Queryable, object: T): Promise<void> {
      await db.query(SAVE, valuesOf(object));
    },

    /**
     * Locks and returns the first due row that matches the SQL condition `open`. Skips rows that another
     * transaction has locked.
     */
    lockDue: (tx: Transaction, open: string) =>
      find(
        tx,
        `WHERE ${open} AND due_at <= now() ORDER BY due_at LIMIT 1 FOR NO KEY UPDATE OF ${name} SKIP LOCKED`,
      ),

    /**
     * Lists one page of rows in the order of the time column `at`, with the oldest first. Also counts all
     * matching rows.
     */
    listPage(database: Database, at: string, [where, values]: Filter, { index, size }: Page) {
      const next = values.length + 1;
      return inSnapshot(database, async (tx) => {
        const count = `SELECT count(*) AS total FROM ${name} WHERE ${where}`;
        const [counted] = await tx.query<{ total: number }>(count, values);
        const tail = `WHERE ${where} ORDER BY ${at}, position LIMIT $${next} OFFSET $${next + 1}`;
        return { items: await list(tx, tail, [...values, size, index * size]), total: counted?.total ?? 0 };
      });
    },
  };
}

/**
 * Runs a statement and builds objects from its rows. A column named "payment.amount" becomes the field
 * `amount` of the object `payment`.
 */
export async function readObjects<T extends object>(
  db: Queryable,
  statement: string,
  values: readonly unknown[] = [],
): Promise<T[]> {
  const rows = await db.query<Row>(statement, values);
  return rows.map((row) => {
    const whole: Row = {};
    for (const [field, value] of Object.entries(row)) put(whole, field.split('.'), value);
    return whole as T;
  });
}

function put(whole: Row, [key = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    whole[key] = value;
    return;
  }
  if (!(key in whole)) whole[key] = value === null ? null : {};
  if (whole[key] !== null) put(whole[key], rest, value);
}

function valueAt(object: object, field: string): unknown {
  return field.split('.').reduce<Row | null | undefined>((at, key) => at?.[key], object) ?? null;
}

function partsOf(listed: string): { column: string; field: string } {
  const [column = '', field = `"${column}"`] = listed.split(' AS ');
  return { column, field: field.slice(1, -1) };
}
