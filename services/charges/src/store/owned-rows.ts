import { type ComposedQuery, type Sums, composeSql as sql } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';

export function ofTenant(table: string, { merchantId, environment }: Tenant): ComposedQuery {
  return sql(table).where({ merchant_id: merchantId, environment });
}

/** The sums of a list whose rows have one amount. */
export const sumsOfAmounts: Sums = { amount: 'sum(amount_cents)' };

interface OwnQuery {
  status?: string | undefined;
  chargeId?: string | undefined;
  startDate?: Date | undefined;
  endDate?: Date | undefined;
}

export function narrowed(
  rows: ComposedQuery,
  { status, chargeId, startDate, endDate }: OwnQuery,
): ComposedQuery {
  if (status) rows.where('status', status);
  if (chargeId) rows.where('charge_id', chargeId);
  if (startDate) rows.where('created_at', '>=', startDate);
  if (endDate) rows.where('created_at', '<', endDate);
  return rows;
}

interface OwnerQuery {
  merchantId?: string | undefined;
  environment?: string | undefined;
  status?: string | undefined;
}

/** Selects the rows of all merchants that match the query. */
export function ofAnybody(table: string, { merchantId, environment, status }: OwnerQuery): ComposedQuery {
  const matching = sql(table);
  if (merchantId) matching.where('merchant_id', merchantId);
  if (environment) matching.where('environment', environment);
  if (status) matching.where('status', status);
  return matching;
}
