import type { Queryable } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import { everyCategory, spanOf } from '../domain/statement.ts';
import type { RowSum } from '../domain/summary.ts';
import { countRows, type Period } from './counters.ts';
import { readBalances } from './statement-period.ts';

/** Reads the entry only for rows that name neither a charge nor a withdrawal, because those rows are few. */
const SUMS = `
  SELECT CASE WHEN charge_id IS NOT NULL THEN 'charge' WHEN withdrawal_id IS NOT NULL THEN 'withdrawal'
      ELSE (SELECT kind FROM journal_entries WHERE journal_entries.id = entry_id) END AS subject,
    type, payment_method AS "paymentMethod", count(*) AS count, sum(amount_cents)::bigint AS amount
  FROM wallet_transactions
  WHERE merchant_id = $1 AND environment = $2 AND ordinal > $3 AND ordinal <= $4
  GROUP BY subject, type, payment_method`;

/** Returns the balances of a period, and the sums of its rows. Ignores rows that are posted meanwhile. */
export async function readSums(db: Queryable, tenant: Tenant, period: Period) {
  const { merchantId, environment } = tenant;
  const { after, last } = spanOf(await countRows(db, tenant, period), everyCategory);
  const sums = await db.queryUnprepared<RowSum & Record<string, unknown>>(SUMS, [
    merchantId,
    environment,
    after,
    last,
  ]);
  return { ...(await readBalances(db, tenant, { after, last })), sums };
}

export async function readClock(db: Queryable): Promise<Date> {
  const [row] = await db.query<{ now: Date }>('SELECT clock_timestamp() AS now', []);
  if (!row) throw new Error('a query for one row returned none');
  return row.now;
}
