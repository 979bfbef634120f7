import { newId } from '@plataforma/kernel';
import type { Database, hourlySums } from '../../src/index.ts';

export const counted = { table: 'notes', by: ['status'], counts: 'note_counts' } as const;
export const summed: Parameters<typeof hourlySums>[1] = {
  table: 'notes',
  by: ['kind'],
  isSummed: (row) => `${row}.paid_at IS NOT NULL`,
  instant: (row) => `${row}.paid_at`,
  amounts: {
    paid: () => '1',
    cents: (row) => `${row}.amount`,
    returned: (row) => `coalesce(${row}.returned, 0)`,
  },
  reads: ['paid_at', 'amount', 'returned'],
  sums: 'note_sums',
  after: counted,
};
export const notes = {
  name: '001_notes',
  sql: `
    CREATE TABLE notes (id uuid PRIMARY KEY, merchant_id uuid NOT NULL, environment text NOT NULL, kind text NOT NULL,
      status text NOT NULL, amount bigint NOT NULL, returned bigint, text text, paid_at timestamptz,
      created_at timestamptz NOT NULL)`,
};

const INSERT = `INSERT INTO notes SELECT $1, $2, 'sandbox', 'A', 'OPEN', $3, NULL, '', $4, now()`;

/** Of the hours whose sums are not those of the rows, and of the counters that are wrong. */
const WRONG = `
  SELECT hour::text FROM (
    SELECT merchant_id, hour, kind, sum(paid) AS paid, sum(cents) AS cents, sum(returned) AS returned FROM note_sums
    GROUP BY 1, 2, 3) AS kept
  FULL JOIN (
    SELECT merchant_id, date_trunc('hour', paid_at, 'UTC') AS hour, kind, count(*) AS paid, sum(amount) AS cents,
      sum(coalesce(returned, 0)) AS returned
    FROM notes WHERE paid_at IS NOT NULL GROUP BY 1, 2, 3) AS there USING (merchant_id, hour, kind)
  WHERE (coalesce(kept.paid, 0), coalesce(kept.cents, 0), coalesce(kept.returned, 0))
    <> (coalesce(there.paid, 0), coalesce(there.cents, 0), coalesce(there.returned, 0))
  UNION ALL
  SELECT status FROM (SELECT status, sum(counted) AS counted FROM note_counts GROUP BY 1) AS kept
  FULL JOIN (SELECT status, count(*) AS rows FROM notes GROUP BY 1) AS there USING (status)
  WHERE coalesce(counted, 0) <> coalesce(rows, 0)`;

type Queries = Pick<Database, 'query'>;

/** What writes notes of a merchant, and says what of them is counted wrongly; in this database unless they name another. */
export function notesIn(database: () => Queries, merchantId: string) {
  return {
    async add(paidAt: string | null = null, db = database()): Promise<string> {
      const id = newId();
      await db.query(INSERT, [id, merchantId, 100 + Math.floor(Math.random() * 100), paidAt]);
      return id;
    },
    pay: (id: string, at: string, db = database()) =>
      db.query(`UPDATE notes SET status = 'PAID', paid_at = $2 WHERE id = $1`, [id, at]),
    giveBack: (id: string, amount: number, db = database()) =>
      db.query('UPDATE notes SET returned = $2 WHERE id = $1', [id, amount]),
    wrong: (db = database()) => db.query(WRONG),
  };
}
