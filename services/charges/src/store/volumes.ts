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

/**
 * Zones are whole hours from UTC, and so each hour lies in one interval. The slots of an hour are added up first, since
 * to find the interval of an hour costs more than to read it.
 */
const READ = `
  SELECT date_trunc($3, hour, $4) AS "startsAt", payment_method AS "paymentMethod", sum(paid)::bigint AS paid,
    sum(declined)::bigint AS declined, sum(gross)::bigint AS gross, sum(fees)::bigint AS fees,
    sum(refunded)::bigint AS refunded, sum(disputed)::bigint AS disputed
  FROM (
    SELECT hour, payment_method, sum(paid) AS paid, sum(declined) AS declined, sum(gross_cents) AS gross,
      sum(fee_cents) AS fees, sum(refunded_cents) AS refunded, sum(disputed_cents) AS disputed
    FROM charge_volumes
    WHERE merchant_id = $1 AND environment = $2 AND hour >= $5 AND hour < $6
    GROUP BY 1, 2) AS hours
  GROUP BY 1, 2 HAVING sum(paid) <> 0 OR sum(declined) <> 0 ORDER BY 1, 2`;

/** By interval and method, the first interval first. */
export function readVolumes(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { interval, timeZone, from, until }: Hours & { interval: 'hour' | 'day' | 'month'; timeZone: TimeZone },
): Promise<Volume[]> {
  return db.queryUnprepared<Volume>(READ, [merchantId, environment, interval, timeZone, from, until]);
}
