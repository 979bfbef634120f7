import type { Queryable } from '@plataforma/data';
import type { Cents, Tenant } from '@plataforma/kernel';

/**
 * Finds the last row before each instant by binary search, because rows are numbered by time. Omits instants
 * of the last minute: an open transaction, which lasts a minute at most, may still insert rows before them.
 */
const FIND = `
  WITH RECURSIVE halved (instant, low, high) AS (
    SELECT instant, 0::bigint, (SELECT coalesce(max(ordinal), 0) FROM wallet_transactions
      WHERE merchant_id = $1 AND environment = $2)
    FROM unnest($3::timestamptz[]) AS instant WHERE instant <= clock_timestamp() + $4 * interval
    '1 millisecond' - interval '1 minute'
    UNION ALL
    SELECT instant, CASE WHEN is_before THEN middle ELSE low END, CASE WHEN is_before THEN high
    ELSE middle - 1 END
    FROM halved CROSS JOIN LATERAL (SELECT (low + high + 1) / 2 AS middle) AS halves CROSS JOIN LATERAL (
      SELECT t.created_at < instant AS is_before FROM wallet_transactions t
      WHERE t.merchant_id = $1 AND t.environment = $2 AND t.ordinal = middle) AS tried
    WHERE low < high)
  SELECT instant, coalesce(t.balance_after_cents, 0)::bigint AS balance
  FROM halved LEFT JOIN LATERAL (
    SELECT balance_after_cents FROM wallet_transactions
    WHERE merchant_id = $1 AND environment = $2 AND ordinal = halved.low OFFSET 0) AS t ON true
  WHERE low >= high`;

/**
 * Returns the balance in cents at each instant. The key is the instant in milliseconds. Omits instants of the
 * last minute of the merchant's clock, which is `aheadMs` ahead.
 */
export async function findBalancesAt(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { instants, aheadMs }: { instants: readonly Date[]; aheadMs: number },
): Promise<Map<number, Cents>> {
  const keys = [merchantId, environment, instants, aheadMs];
  const found = await db.queryUnprepared<{ instant: Date; balance: Cents }>(FIND, keys);
  return new Map(found.map(({ instant, balance }) => [instant.getTime(), balance]));
}
