import type { Migration } from '@plataforma/data';

export const unanchoredChains: Migration = {
  name: '031_unanchored_chains',
  sql: `
    -- Since when rows are there beyond the last place that is kept, while that place has not moved; null: none were.
    ALTER TABLE audit_anchor_checks ADD COLUMN unanchored_since timestamptz;
    -- A chain that was never compared has a row too, from which its age is known.
    ALTER TABLE audit_anchor_checks ALTER COLUMN checked_at DROP NOT NULL;
    ALTER TABLE audit_anchor_checks ADD COLUMN known_since timestamptz NOT NULL DEFAULT now();
    INSERT INTO audit_anchor_checks (service)
      VALUES ('gateway'), ('charges'), ('withdrawals'), ('ledger'), ('webhooks'), ('ledger journal')
    ON CONFLICT DO NOTHING;
  `,
};
