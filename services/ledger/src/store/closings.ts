import type { Queryable } from '@plataforma/data';
import type { Cents, Tenant } from '@plataforma/kernel';

/**
 * The last row before each instant is searched for by halves: rows are numbered 1, 2, 3 … in the order of time. A minute
 * after an instant every transaction that has timed a row before it is over: the pool's connections end those that rest
 * for half of that, and each of its statements takes ten seconds at most.
 */
const FIND = `
  WITH RECURSIVE halved (instant, low, high) AS (
    SELECT instant, 0::bigint, (SELECT coalesce(max(ordinal), 0) FROM wallet_transactions
      WHERE merchant_id = $1 AND environment = $2)
    FROM unnest($3::timestamptz[]) AS instant WHERE instant <= clock_timestamp() + $4 * interval '1 millisecond' - interval '1 minute'
    UNION ALL
    SELECT instant, CASE WHEN is_before THEN middle ELSE low END, CASE WHEN is_before THEN high ELSE middle - 1 END
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
 * The balance that a wallet had at each of these instants, by their time; none of what is not over for long enough by the
 * wallet's, which is so much ahead of the real one.
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
