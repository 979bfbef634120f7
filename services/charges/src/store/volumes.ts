import type { Queryable } from '@plataforma/data';
import type { Cents, Tenant, TimeZone } from '@plataforma/kernel';
import type { PaymentMethod } from '../domain/charge.ts';
import type { Hours } from '../domain/volume.ts';

/** What was paid, and declined, in an interval by one method. */
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

/** Zones are whole hours from UTC, and so each hour lies in one interval. */
const READ = `
  SELECT date_trunc($3, hour, $4) AS "startsAt", payment_method AS "paymentMethod", sum(paid)::bigint AS paid,
    sum(declined)::bigint AS declined, sum(gross_cents)::bigint AS gross, sum(fee_cents)::bigint AS fees,
    sum(refunded_cents)::bigint AS refunded, sum(disputed_cents)::bigint AS disputed
  FROM charge_volumes
  WHERE merchant_id = $1 AND environment = $2 AND hour >= $5 AND hour < $6
  GROUP BY 1, 2 HAVING sum(paid) <> 0 OR sum(declined) <> 0 ORDER BY 1, 2`;

/** By interval and method, the first interval first. */
export function readVolumes(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { interval, timeZone, from, until }: Hours & { interval: 'hour' | 'day' | 'month'; timeZone: TimeZone },
): Promise<Volume[]> {
  return db.queryUnprepared<Volume>(READ, [merchantId, environment, interval, timeZone, from, until]);
}
