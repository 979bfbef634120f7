import type { ReceivableDayView, ReceivableQuery } from '@plataforma/contracts';
import { jsonRecords, type Queryable, type Transaction } from '@plataforma/data';
import { newId, type Tenant } from '@plataforma/kernel';
import { type SettledDay, ZONE } from '../domain/settled-day.ts';
import { readReceivableDays } from './receivable-lists.ts';

const INSERT = `
  INSERT INTO settled_days (id, merchant_id, environment, payment_method, date, starts_at, ends_at)
  SELECT id, "merchantId", environment, method, date, "startsAt", "endsAt"
  FROM jsonb_to_recordset($1) AS day (id uuid, "merchantId" uuid, environment text, method text, date date,
    "startsAt" timestamptz, "endsAt" timestamptz)
  ORDER BY 2, 3, 4, 5
  ON CONFLICT ON CONSTRAINT settled_days_once DO UPDATE SET announced_at = NULL
    WHERE settled_days.announced_at IS NOT NULL`;

/**
 * Records the days on which money settled. The caller must hold the row locks of the wallets that got this
 * money. If more money of a published day settles later, the day is published again.
 */
export async function recordSettledDays(tx: Transaction, days: readonly SettledDay[]): Promise<void> {
  if (days.length === 0) return;
  await tx.query(INSERT, [jsonRecords(days.map((day) => ({ ...day, id: newId() })))]);
}

export type EndedDay = Tenant & { id: string };

/** Finds ended days. Production uses real time, and each sandbox uses its own clock. */
const FIND_ENDED = `
  SELECT id, merchant_id AS "merchantId", environment FROM (
    SELECT * FROM settled_days
    WHERE announced_at IS NULL AND environment = 'production' AND ends_at <= clock_timestamp()
    UNION ALL
    SELECT d.* FROM settled_days d LEFT JOIN sandbox_clocks c ON c.merchant_id = d.merchant_id
    WHERE announced_at IS NULL AND environment = 'sandbox'
      AND ends_at <= clock_timestamp() + coalesce(c.ahead_ms, 0) * interval '1 millisecond') AS ended
  WHERE NOT EXISTS (SELECT FROM receivables r
    WHERE r.merchant_id = ended.merchant_id AND r.environment = ended.environment
      AND r.payment_method = ended.payment_method AND r.remaining_cents > 0
      AND r.settles_at >= ended.starts_at AND r.settles_at < ended.ends_at)
  ORDER BY ends_at LIMIT $1`;

/** Finds days that have ended, are not published yet, and have no unsettled receivable. */
export function findEndedDays(db: Queryable, limit: number): Promise<EndedDay[]> {
  return db.queryUnprepared<EndedDay>(FIND_ENDED, [limit]);
}

const ANNOUNCE = `
  UPDATE settled_days SET announced_at = clock_timestamp(), announcements = announcements + 1
  WHERE id = $1 AND announced_at IS NULL
  RETURNING announcements AS sequence, starts_at AS "startDate", ends_at AS "endDate",
    payment_method AS "paymentMethod"`;

type Announced = { sequence: number } & Required<
  Pick<ReceivableQuery, 'startDate' | 'endDate' | 'paymentMethod'>
>;

/**
 * Marks a day as published and returns its totals as the API's report shows them. Returns undefined if a
 * different replica has published the day.
 */
export async function takeSettledDay(
  tx: Transaction,
  { id, ...tenant }: EndedDay,
): Promise<{ sequence: number; sum: ReceivableDayView } | undefined> {
  const [day] = await tx.queryUnprepared<Announced>(ANNOUNCE, [id]);
  if (!day) return undefined;
  const { sequence, ...period } = day;
  const query = { ...period, status: 'SETTLED', timeZone: ZONE } as const;
  const [sum] = await readReceivableDays(tx, tenant, query);
  return sum && { sequence, sum };
}
