import type { Migration } from '@plataforma/data';

export const disputeDebts: Migration = {
  name: '077_dispute_debts',
  sql: `
    -- The cents that the reserve of a lost dispute lacked, according to the ledger; null: the ledger did not
    -- answer at the decision.
    ALTER TABLE disputes ADD COLUMN debt_cents bigint CHECK (debt_cents >= 0);
  `,
};
