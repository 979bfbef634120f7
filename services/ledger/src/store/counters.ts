import type { Queryable } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import { type CategoryCount, type DayCount, everyCategory } from '../domain/statement.ts';

/** UTC days, the last included; a side left out is open. */
export interface Days {
  startDate?: string | undefined;
  endDate?: string | undefined;
}

const COUNT = `
  SELECT category, coalesce(before.rows_until, 0) AS "rowsBefore", coalesce(before.last_ordinal, 0) AS "lastBefore",
    until.rows_until AS "rowsUntil", until.last_ordinal AS "lastUntil"
  FROM unnest($3::text[]) AS category
  JOIN LATERAL (SELECT rows_until, last_ordinal FROM wallet_row_counts c
    WHERE c.merchant_id = $1 AND c.environment = $2 AND c.category = category.category AND c.day <= $5::date
    ORDER BY c.day DESC LIMIT 1) AS until ON true
  LEFT JOIN LATERAL (SELECT rows_until, last_ordinal FROM wallet_row_counts c
    WHERE c.merchant_id = $1 AND c.environment = $2 AND c.category = category.category AND c.day < $4::date
    ORDER BY c.day DESC LIMIT 1) AS before ON true`;

/** How many rows a wallet has in a period, and where, by category. No row is read for it. */
export async function countRows(db: Queryable, tenant: Tenant, days: Days): Promise<CategoryCount[]> {
  return db.queryUnprepared<CategoryCount & Record<string, unknown>>(COUNT, [
    tenant.merchantId,
    tenant.environment,
    everyCategory,
    ...boundsOf(days),
  ]);
}

const COUNT_DAYS = `
  SELECT sum(rows)::bigint AS rows, max(last_ordinal) AS last
  FROM (
    SELECT day, last_ordinal, rows_until - lag(rows_until, 1, 0::bigint) OVER (PARTITION BY category ORDER BY day) AS rows
    FROM wallet_row_counts
    WHERE merchant_id = $1 AND environment = $2 AND category = ANY ($3::text[]) AND day <= $5::date) AS daily
  WHERE day >= $4::date GROUP BY day ORDER BY day DESC`;

/** The rows of some categories day by day, the newest first; days without any are left out. */
export async function countDays(
  db: Queryable,
  tenant: Tenant,
  { categories, days }: { categories: readonly string[]; days: Days },
): Promise<DayCount[]> {
  return db.queryUnprepared<DayCount & Record<string, unknown>>(COUNT_DAYS, [
    tenant.merchantId,
    tenant.environment,
    categories,
    ...boundsOf(days),
  ]);
}

function boundsOf({ startDate = '-infinity', endDate = 'infinity' }: Days): [string, string] {
  return [startDate, endDate];
}
