import type { Migration } from '@plataforma/data';

export const disputeDebts: Migration = {
  name: '077_dispute_debts',
  sql: `
    -- Cents that the reserve of a lost dispute lacked, as the books said; null: they did not answer when it was decided.
    ALTER TABLE disputes ADD COLUMN debt_cents bigint CHECK (debt_cents >= 0);
  `,
};
