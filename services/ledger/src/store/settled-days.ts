import type { Queryable, Transaction } from '@plataforma/data';
import { type Cents, newId, type Tenant } from '@plataforma/kernel';
import type { SettledDay } from '../domain/settled-day.ts';
import type { Method } from '../domain/wallet.ts';

const INSERT = `
  INSERT INTO settled_days (id, merchant_id, environment, payment_method, date, starts_at, ends_at)
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::date[], $6::timestamptz[], $7::timestamptz[])
  ORDER BY 2, 3, 4, 5
  ON CONFLICT ON CONSTRAINT settled_days_once DO NOTHING`;

/** Records days whose wallets are locked; a day that is known stays as it is. */
export async function recordSettledDays(tx: Transaction, days: readonly SettledDay[]): Promise<void> {
  if (days.length === 0) return;
  await tx.query(INSERT, [
    days.map(() => newId()),
    days.map(({ merchantId }) => merchantId),
    days.map(({ environment }) => environment),
    days.map(({ method }) => method),
    days.map(({ date }) => date),
    days.map(({ startsAt }) => startsAt),
    days.map(({ endsAt }) => endsAt),
  ]);
}

export type EndedDay = Tenant & { id: string };

/** Production by the real time, each sandbox by its own. */
const FIND_ENDED = `
  SELECT id, merchant_id AS "merchantId", environment FROM settled_days
  WHERE announced_at IS NULL AND environment = 'production' AND ends_at <= clock_timestamp()
  UNION ALL
  SELECT id, d.merchant_id, environment FROM settled_days d LEFT JOIN sandbox_clocks c ON c.merchant_id = d.merchant_id
  WHERE announced_at IS NULL AND environment = 'sandbox'
    AND ends_at <= clock_timestamp() + coalesce(c.ahead_ms, 0) * interval '1 millisecond'
  LIMIT $1`;

/** Days that are over and not announced. */
export function findEndedDays(db: Queryable, limit: number): Promise<EndedDay[]> {
  return db.queryUnprepared<EndedDay & Record<string, unknown>>(FIND_ENDED, [limit]);
}

interface SettledSum {
  date: string;
  paymentMethod: Method;
  count: number;
  amount: Cents;
}

const ANNOUNCE = `
  UPDATE settled_days SET announced_at = clock_timestamp() WHERE id = $1 AND announced_at IS NULL
  RETURNING to_char(date, 'YYYY-MM-DD') AS date, payment_method AS "paymentMethod",
    (SELECT count(DISTINCT e.charge_id) FROM journal_entries e
     WHERE e.merchant_id = settled_days.merchant_id AND e.environment = settled_days.environment
       AND e.created_at >= starts_at AND e.created_at < ends_at AND e.kind = 'receivable_due'
       AND EXISTS (SELECT FROM journal_lines l
         WHERE l.entry_id = e.id AND l.account = 'available:' || payment_method)) AS count,
    (SELECT sum(l.amount_cents)::bigint FROM journal_entries e JOIN journal_lines l ON l.entry_id = e.id
       AND l.account = 'available:' || payment_method
     WHERE e.merchant_id = settled_days.merchant_id AND e.environment = settled_days.environment
       AND e.created_at >= starts_at AND e.created_at < ends_at AND e.kind = 'receivable_due') AS amount`;

/** Marks a day as announced and adds up its entries, of any release; null when another replica has done it. */
export async function takeSettledDay(tx: Transaction, id: string): Promise<SettledSum | null> {
  const [sum] = await tx.queryUnprepared<SettledSum & Record<string, unknown>>(ANNOUNCE, [id]);
  return sum ?? null;
}
