/** Where the sum of a list's counters is not the number of its rows, each counted anew. */
const differing = (table: string, counts: string, by: string) => `
  SELECT concat_ws(' ', merchant_id, environment, day, ${by}, 'has', coalesce(there, 0), 'and counts', coalesce(kept, 0)) AS what
  FROM (SELECT merchant_id, environment, day, ${by}, sum(counted) AS kept FROM ${counts} GROUP BY 1, 2, 3, 4, 5) AS counted
  FULL JOIN (
    SELECT merchant_id, environment, (created_at AT TIME ZONE 'UTC')::date AS day, ${by}, count(*) AS there
    FROM ${table} GROUP BY 1, 2, 3, 4, 5) AS rows USING (merchant_id, environment, day, ${by})
  WHERE coalesce(there, 0) <> coalesce(kept, 0)`;

/** The totals of lists are the number of their rows. */
export const counted = {
  charges: {
    'a total that is not the number of charges': differing(
      'charges',
      'charge_counts',
      'payment_method, status',
    ),
  },
  withdrawals: {
    'a total that is not the number of withdrawals': differing(
      'withdrawals',
      'withdrawal_counts',
      'method, status',
    ),
  },
};
