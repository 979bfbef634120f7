import type { Transaction } from '@plataforma/data';
import type { Cents, Tenant } from '@plataforma/kernel';
import type { StatementRow } from '../domain/posting.ts';
import type { RowCount } from '../domain/row-counts.ts';

export interface RowSums {
  byType: { type: StatementRow['type']; amount: Cents }[];
  byDay: RowCount[];
  rows: number;
  last: number;
  /**
   * The ids of rows whose entry is missing or belongs to a different wallet. At most 100 for each SQL
   * statement.
   */
  foreignRows: string[];
}

/** The number of rows that one SQL statement sums, so that each statement ends long before its timeout. */
const PORTION = 100_000;

const OF_PORTION = `
  WITH portion AS MATERIALIZED (
    SELECT type, category, (created_at AT TIME ZONE 'UTC')::date AS day, amount_cents, ordinal
    FROM wallet_transactions WHERE merchant_id = $1 AND environment = $2 AND ($3::bigint IS NULL
    OR ordinal > $3)
    ORDER BY ordinal LIMIT ${PORTION})
  SELECT type, category, day::text AS day, count(*) AS rows, max(ordinal) AS last,
  sum(amount_cents)::bigint AS amount
  FROM portion GROUP BY 1, 2, 3`;

const FOREIGN_ROWS = `
  SELECT t.id FROM wallet_transactions t
  LEFT JOIN journal_entries e
    ON e.id = t.entry_id AND e.merchant_id = t.merchant_id AND e.environment = t.environment
  WHERE t.merchant_id = $1 AND t.environment = $2 AND ($3::bigint IS NULL OR t.ordinal > $3)
  AND t.ordinal <= $4
    AND e.id IS NULL
  ORDER BY t.ordinal LIMIT 100`;

type PortionRow = RowCount & { type: StatementRow['type']; amount: Cents };

/** Sums all rows of a wallet. `tx` must be a snapshot, so that all its statements see the same rows. */
export async function sumRows(tx: Transaction, { merchantId, environment }: Tenant): Promise<RowSums> {
  const sums: RowSums = { byType: [], byDay: [], rows: 0, last: 0, foreignRows: [] };
  const days = new Map<string, RowCount>();
  for (let after: number | null = null; ; ) {
    const keys = [merchantId, environment, after];
    const groups: PortionRow[] = await tx.queryUnprepared<PortionRow>(OF_PORTION, keys);
    if (groups.length === 0) return { ...sums, byDay: [...days.values()] };
    for (const group of groups) addTo(days, group);
    sums.byType.push(...groups.map(({ type, amount }) => ({ type, amount })));
    sums.rows += groups.reduce((total, { rows }) => total + rows, 0);
    sums.last = Math.max(...groups.map(({ last }) => last));
    const foreignRows = await tx.queryUnprepared<{ id: string }>(FOREIGN_ROWS, [...keys, sums.last]);
    sums.foreignRows.push(...foreignRows.map(({ id }) => id));
    after = sums.last;
  }
}

function addTo(days: Map<string, RowCount>, { category, day, rows, last }: RowCount): void {
  const key = `${category} ${day}`;
  const before = days.get(key)?.rows ?? 0;
  days.set(key, { category, day, rows: before + rows, last });
}

const STORED_COUNTS = `
  SELECT category, day::text AS day, rows_until AS rows, last_ordinal AS last FROM wallet_row_counts
  WHERE merchant_id = $1 AND environment = $2`;

/** Finds the stored row counts of a wallet. Each count includes all rows up to the end of its day. */
export async function findRowCounts(
  tx: Transaction,
  { merchantId, environment }: Tenant,
): Promise<RowCount[]> {
  return tx.queryUnprepared<RowCount>(STORED_COUNTS, [merchantId, environment]);
}
