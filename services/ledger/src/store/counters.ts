import type { Queryable } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import { type CategoryCount, type DayCount, everyCategory } from '../domain/statement.ts';

/**
 * A period with an inclusive start and an exclusive end. A missing start or end means no limit on that side.
 */
export interface Period {
  startDate?: Date | undefined;
  endDate?: Date | undefined;
}

/**
 * SQL for the last counter of a category before the UTC day `edge.day`. The edge is the start or the end of
 * the period.
 */
const LAST_COUNTER = `
  SELECT rows_until, last_ordinal FROM wallet_row_counts c
  WHERE c.merchant_id = $1 AND c.environment = $2 AND c.category = category.category AND c.day < edge.day
  ORDER BY c.day DESC LIMIT 1`;

/**
 * Row numbers increase with time, so a binary search finds the last row before each edge of the period. An
 * index scan then counts the rows between the last counter and this row.
 */
const COUNT = `
  WITH RECURSIVE edges AS (
    SELECT side, instant, (instant AT TIME ZONE 'UTC')::date AS day,
      ((instant - interval '1 microsecond') AT TIME ZONE 'UTC')::date AS last_day
    FROM unnest(ARRAY['before', 'until'], ARRAY[$4, $5]::timestamptz[]) AS edge (side, instant)),
  kept AS (
    SELECT side, category, coalesce(rows_until, 0) AS rows, coalesce(last_ordinal, 0) AS last
    FROM edges AS edge CROSS JOIN unnest($3::text[]) AS category LEFT JOIN
    LATERAL (${LAST_COUNTER}) AS counted ON true),
  halved (side, instant, kept_until, low, high) AS (
    SELECT side, instant, max(kept.last), max(kept.last),
      (SELECT coalesce(max(last_ordinal), 0) FROM unnest($3::text[]) AS category JOIN LATERAL (
        SELECT last_ordinal FROM wallet_row_counts c WHERE c.merchant_id = $1 AND c.environment = $2
          AND c.category = category.category AND c.day <= edge.last_day ORDER BY c.day DESC LIMIT 1) AS last
          ON true)
    FROM edges AS edge JOIN kept USING (side) GROUP BY side, instant, edge.last_day
    UNION ALL
    SELECT side, instant, kept_until, CASE WHEN is_before THEN middle ELSE low END,
      CASE WHEN is_before THEN high ELSE middle - 1 END
    FROM halved CROSS JOIN LATERAL (SELECT (low + high + 1) / 2 AS middle) AS halves CROSS JOIN LATERAL (
      SELECT t.created_at < instant AS is_before FROM wallet_transactions t
      WHERE t.merchant_id = $1 AND t.environment = $2 AND t.ordinal = middle) AS tried
    WHERE low < high),
  counted AS (
    SELECT side, category, kept.rows + coalesce(added.rows, 0) AS rows, coalesce(added.last,
    kept.last) AS last
    FROM kept JOIN halved USING (side) LEFT JOIN LATERAL (
      SELECT count(*) AS rows, max(t.ordinal) AS last FROM wallet_transactions t
      WHERE t.merchant_id = $1 AND t.environment = $2 AND t.category = kept.category
        AND t.ordinal > halved.kept_until AND t.ordinal <= halved.high) AS added ON true
    WHERE halved.low >= halved.high)
  SELECT category, before.rows::bigint AS "rowsBefore", before.last AS "lastBefore",
    until.rows::bigint AS "rowsUntil", until.last AS "lastUntil"
  FROM counted AS until JOIN counted AS before USING (category)
  WHERE until.side = 'until' AND before.side = 'before' AND until.rows > 0`;

/**
 * Counts a wallet's rows in a period by category. Reads single rows only for the days at the period's ends,
 * and stored counters for all other days.
 */
export async function countRows(db: Queryable, tenant: Tenant, period: Period): Promise<CategoryCount[]> {
  const { startDate = '-infinity', endDate = 'infinity' } = period;
  return db.queryUnprepared<CategoryCount>(COUNT, [
    tenant.merchantId,
    tenant.environment,
    everyCategory,
    startDate,
    endDate,
  ]);
}

/**
 * For the period's last day, uses the count up to the period's end instead of the stored counter of the whole
 * day.
 */
const COUNT_DAYS = `
  WITH until AS (
    SELECT * FROM unnest($3::text[], $6::bigint[], $7::bigint[]) AS counted (category, rows_until,
    last_ordinal)),
  ends AS (
    SELECT category, day, rows_until, last_ordinal FROM wallet_row_counts
    WHERE merchant_id = $1 AND environment = $2 AND category = ANY ($3::text[])
      AND day < ($5::timestamptz AT TIME ZONE 'UTC')::date
    UNION ALL
    SELECT category, ($5::timestamptz AT TIME ZONE 'UTC')::date, rows_until, last_ordinal FROM until)
  SELECT sum(rows)::bigint AS rows, max(last_ordinal) AS last
  FROM (
    SELECT day, last_ordinal, rows_until - lag(rows_until, 1, 0::bigint) OVER (PARTITION BY category
    ORDER BY day) AS rows
    FROM ends) AS daily
  WHERE day >= ($4::timestamptz AT TIME ZONE 'UTC')::date GROUP BY day ORDER BY day DESC`;

/**
 * Counts the rows of these categories for each UTC day, the newest day first. Includes the whole first day,
 * even if the period starts during that day.
 */
export async function countDays(
  db: Queryable,
  tenant: Tenant,
  { counts, period }: { counts: readonly CategoryCount[]; period: Period },
): Promise<DayCount[]> {
  const { startDate = '-infinity', endDate = 'infinity' } = period;
  return db.queryUnprepared<DayCount>(COUNT_DAYS, [
    tenant.merchantId,
    tenant.environment,
    counts.map(({ category }) => category),
    startDate,
    endDate,
    counts.map(({ rowsUntil }) => rowsUntil),
    counts.map(({ lastUntil }) => lastUntil),
  ]);
}
