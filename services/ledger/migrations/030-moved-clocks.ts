import type { Migration } from '@plataforma/data';

/** `wallet_moments` of 015 and 027, in which a sandbox is dated by its own clock; production reads none. */
export const movedClocks: Migration = {
  name: '030_moved_clocks',
  sql: `
    CREATE OR REPLACE FUNCTION wallet_moments(merchant_ids uuid[], environments text[])
      RETURNS TABLE (merchant_id uuid, environment text, last_row bigint, at timestamptz)
      LANGUAGE sql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
        SELECT locked.merchant_id, locked.environment, coalesce(last.ordinal, 0),
          greatest(
            CASE WHEN locked.environment = 'sandbox'
              THEN clock_timestamp() + coalesce(
                (SELECT ahead_ms FROM sandbox_clocks c WHERE c.merchant_id = locked.merchant_id), 0)
                * interval '1 millisecond'
              ELSE clock_timestamp() END,
            w.changed_at + interval '1 microsecond', last.created_at)
        FROM unnest(merchant_ids, environments) AS locked (merchant_id, environment)
        -- Each looked up by itself (OFFSET 0): joined freely, all wallets may be read for a few.
        JOIN LATERAL (SELECT changed_at FROM wallets
          WHERE merchant_id = locked.merchant_id AND environment = locked.environment OFFSET 0) AS w ON true
        LEFT JOIN LATERAL (SELECT t.ordinal, t.created_at FROM wallet_transactions t
          WHERE t.merchant_id = locked.merchant_id AND t.environment = locked.environment
          ORDER BY t.ordinal DESC LIMIT 1) AS last ON true
      $$;
  `,
};
