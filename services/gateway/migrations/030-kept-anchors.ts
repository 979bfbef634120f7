import type { Migration } from '@plataforma/data';

export const keptAnchors: Migration = {
  name: '030_kept_anchors',
  sql: `
    -- From now on the hashes are in chain_anchors, of this service as of all others; audit_anchors has the epochs.
    INSERT INTO chain_anchors (service, chain, epoch, sequence, hash, at, kept_at)
      SELECT service, 'audit', epoch, sequence, hash, anchored_at, anchored_at FROM audit_anchors
      WHERE hash IS NOT NULL
    ON CONFLICT DO NOTHING;
    -- What was kept last of the chain when it was compared.
    ALTER TABLE audit_anchor_checks ADD COLUMN kept_sequence bigint, ADD COLUMN kept_at timestamptz;
  `,
};
