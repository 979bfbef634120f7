import type { Migration } from '@plataforma/data';

/**
 * For arrays of a few the server finds a plan made for them cheaper each time than one it keeps, and planning takes longer
 * than what is planned. As each row is looked up by itself, the kept plan reads the same rows.
 */
const KEEP_PLAN = 'SET plan_cache_mode = force_generic_plan';

export const keptPlans: Migration = {
  name: '027_kept_plans',
  sql: `
    ALTER FUNCTION wallet_moments(uuid[], text[]) ${KEEP_PLAN};

    -- The entries of facts, each with its lines, and whether a debit was refused, whether or not there is an entry.
    -- Each is looked up by itself (OFFSET 0): joined freely, a batch of facts has the whole journal read while it is of
    -- middling length. The plan must not be one made while tables were small.
    CREATE FUNCTION standing_facts(kinds text[], reference_ids uuid[])
      RETURNS TABLE (wanted uuid, is_refused boolean, id uuid, kind text, reference uuid, merchant_id uuid,
        environment text, charge_id uuid, occurred_at timestamptz, memo text, lines json)
      LANGUAGE sql ${KEEP_PLAN} SET enable_seqscan = off SET enable_bitmapscan = off AS $$
        SELECT wanted.reference, answer.is_refused, e.id, e.kind, e.reference, e.merchant_id, e.environment,
          e.charge_id, e.occurred_at, e.memo,
          (SELECT json_agg(json_build_object('account', l.account, 'amount', l.amount_cents) ORDER BY l.account)
           FROM journal_lines l WHERE l.entry_id = e.id)
        FROM unnest(kinds, reference_ids) AS wanted (kind, reference)
        LEFT JOIN LATERAL (SELECT * FROM journal_entries
          WHERE kind = wanted.kind AND reference = wanted.reference OFFSET 0) AS e ON true
        LEFT JOIN LATERAL (SELECT a.is_refused FROM debit_answers a
          WHERE a.id = wanted.reference AND a.is_refused AND wanted.kind IN ('refund', 'withdrawal_created') OFFSET 0)
          AS answer ON true
        WHERE e.id IS NOT NULL OR answer.is_refused
      $$;
  `,
};
