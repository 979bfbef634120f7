import type { Migration } from '@plataforma/data';

export const undoneChargebacks: Migration = {
  name: '072_undone_chargebacks',
  sql: `
    -- The time when the sandbox bank is asked to undo the chargeback; null: it did, or nothing is to be
    -- undone.
    ALTER TABLE disputes
      ADD COLUMN undo_at       timestamptz,
      ADD COLUMN undo_attempts integer NOT NULL DEFAULT 0;
    CREATE INDEX disputes_undo ON disputes (environment, undo_at) WHERE undo_at IS NOT NULL;
    -- Earlier releases left these chargebacks at the sandbox bank.
    UPDATE disputes SET undo_at = now()
    WHERE environment = 'sandbox' AND provider_reference LIKE 'chargeback:%'
      AND status IN ('RESOLVED_MERCHANT', 'CANCELLED');
  `,
};
