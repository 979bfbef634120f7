import type { Migration } from '@plataforma/data';

export const disputeOpeners: Migration = {
  name: '088_dispute_openers',
  sql: `
    -- Null: a provider or a merchant in the sandbox opened the dispute, or an earlier release did not store
    -- the operator.
    ALTER TABLE disputes ADD COLUMN opened_by uuid;
  `,
};
