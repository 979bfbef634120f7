import type { Queryable } from '@plataforma/data';
import type { Cents, Tenant, TimeZone } from '@plataforma/kernel';
import type { PaymentMethod } from '../domain/charge.ts';
import type { Hours } from '../domain/volume.ts';

export interface Volume {
  startsAt: Date;
  paymentMethod: PaymentMethod;
  paid: number;
  declined: number;
  gross: Cents;
  fees: Cents;
  refunded: Cents;
  disputed: Cents;
  [column: string]: unknown;
}

/**
 * Sums each hour first, because computing an interval is costly. An hour never spans two intervals, because
 * time zones are whole hours from UTC. Undecided disputes are few, so they are not summed by hour.
 */
const READ = `
  WITH disputed AS (
    SELECT date_trunc($3, date_trunc('hour', c.paid_at, 'UTC'), $4) AS interval, c.payment_method,
      sum(d.amount_cents)::bigint AS cents
    FROM disputes d JOIN charges c ON c.id = d.charge_id
    WHERE d.merchant_id = $1 AND d.environment = $2 AND d.status IN ('OPEN', 'UNDER_REVIEW')
      AND c.paid_at >= $5 AND date_trunc('hour', c.paid_at, 'UTC') < $6
    GROUP BY 1, 2),
  hours AS (
    SELECT hour, payment_method, sum(paid) AS paid, sum(declined) AS declined, sum(gross_cents) AS gross,
      sum(fee_cents) AS fees, sum(refunded_cents) AS refunded
    FROM charge_volumes
    WHERE merchant_id = $1 AND environment = $2 AND hour >= $5 AND hour < $6
    GROUP BY 1, 2),
  volumes AS (
    SELECT date_trunc($3, hour, $4) AS interval, payment_method, sum(paid)::bigint AS paid,
      sum(declined)::bigint AS declined, sum(gross)::bigint AS gross, sum(fees)::bigint AS fees,
      sum(refunded)::bigint AS refunded
    FROM hours GROUP BY 1, 2 HAVING sum(paid) <> 0 OR sum(declined) <> 0)
  SELECT interval AS "startsAt", payment_method AS "paymentMethod", paid, declined, gross, fees, refunded,
    coalesce(cents, 0)::bigint AS disputed
  FROM volumes LEFT JOIN disputed USING (interval, payment_method) ORDER BY 1, 2`;

/** Returns the volumes by interval and method, first interval first. */
export function readVolumes(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { interval, timeZone, from, until }: Hours & { interval: 'hour' | 'day' | 'month'; timeZone: TimeZone },
): Promise<Volume[]> {
  return db.queryUnprepared<Volume>(READ, [merchantId, environment, interval, timeZone, from, until]);
}
