/** Returns SQL that lists the counters of a list that differ from the number or the sum of their rows. */
const differing = (table: string, counts: string, by: string, [counter, row] = ['counted', '1']) => `
  SELECT concat_ws(' ', merchant_id, environment, day, ${by}, 'has', coalesce(there, 0), 'and counts',
  coalesce(kept, 0)) AS what
  FROM (SELECT merchant_id, environment, day, ${by},
    sum(${counter}) AS kept FROM ${counts} GROUP BY 1, 2, 3, 4,
  5) AS counted
  FULL JOIN (
    SELECT merchant_id, environment, (created_at AT TIME ZONE 'UTC')::date AS day, ${by},
      sum(${row}) AS there
    FROM ${table} GROUP BY 1, 2, 3, 4, 5) AS rows USING (merchant_id, environment, day, ${by})
  WHERE coalesce(there, 0) <> coalesce(kept, 0)`;

/**
 * Lists the hours in which the counted volumes differ from the charges: paid, declined, gross, fees,
 * refunded, disputed.
 */
const VOLUMES = `
  WITH summed AS (
    SELECT merchant_id, environment, hour, payment_method, ARRAY[sum(paid), sum(declined), sum(gross_cents),
      sum(fee_cents), sum(refunded_cents), sum(disputed_cents)]::bigint[] AS kept
    FROM charge_volumes GROUP BY 1, 2, 3, 4),
  added AS (
    SELECT merchant_id, environment, date_trunc('hour', coalesce(paid_at, created_at), 'UTC') AS hour,
    payment_method,
      ARRAY[count(paid_at), count(*) - count(paid_at), coalesce(sum(amount_cents)
      FILTER (WHERE paid_at IS NOT NULL), 0),
        coalesce(sum(fee_cents) FILTER (WHERE paid_at IS NOT NULL), 0), coalesce(sum(refunded_cents), 0),
        coalesce(sum(amount_cents - coalesce(refunded_cents, 0)) FILTER (WHERE status = 'DISPUTED'),
        0)]::bigint[] AS there
    FROM charges WHERE paid_at IS NOT NULL OR status = 'DECLINED' GROUP BY 1, 2, 3, 4)
  SELECT concat_ws(' ', merchant_id, environment, hour, payment_method, 'comes to', there, 'and sums up to',
  kept) AS what
  FROM summed FULL JOIN added USING (merchant_id, environment, hour, payment_method)
  WHERE coalesce(there, '{0,0,0,0,0,0}') <> coalesce(kept, '{0,0,0,0,0,0}')`;

/**
 * Lists the days for which a wallet's counter differs from its rows: the number of rows until that day, and
 * the last row.
 */
const WALLET_ROWS = `
  WITH counted AS (
    SELECT merchant_id, environment, category, (created_at AT TIME ZONE 'UTC')::date AS day,
      sum(count(*)) OVER (PARTITION BY merchant_id, environment, category
        ORDER BY (created_at AT TIME ZONE 'UTC')::date) AS rows_there,
      max(ordinal) AS last_there
    FROM wallet_transactions GROUP BY 1, 2, 3, 4)
  SELECT concat_ws(' ', merchant_id, environment, category, day, 'has', rows_there, 'and counts',
  rows_until) AS what
  FROM counted FULL JOIN wallet_row_counts USING (merchant_id, environment, category, day)
  WHERE (rows_there, last_there) IS DISTINCT FROM (rows_until, last_ordinal)`;

/**
 * Rules that compare counters with the rows that they count. The hourly counters of webhook endpoints have no
 * rule, because no total is computed from them.
 */
export const counted = {
  charges: {
    'a total that is not the number of charges': differing(
      'charges',
      'charge_counts',
      'payment_method, status',
    ),
    'sums of a list that are not those of its charges': differing(
      'charges',
      'charge_sums',
      'payment_method, status',
      [
        'counted + amount_cents + 3 * fee_cents + 5 * refunded_cents',
        '1 + amount_cents + 3 * fee_cents + 5 * coalesce(refunded_cents, 0)',
      ],
    ),
    'a volume that is not what its charges come to': VOLUMES,
  },
  withdrawals: {
    'a total that is not the number of withdrawals': differing(
      'withdrawals',
      'withdrawal_counts',
      'method, status',
    ),
    'sums of a list that are not those of its withdrawals': differing(
      'withdrawals',
      'withdrawal_sums',
      'method, status',
      ['counted + amount_cents + 3 * fee_cents', '1 + amount_cents + 3 * fee_cents'],
    ),
  },
  ledger: { 'a count that is not the number of a wallet’s rows': WALLET_ROWS },
};
