import type { Migration } from '@plataforma/data';

export const bankIds: Migration = {
  name: '073_bank_ids',
  sql: `
    -- The acquirer's number of a card payment and the issuer's code; null of Pix and of payments before this.
    ALTER TABLE charges ADD COLUMN nsu text, ADD COLUMN authorization_code text;
    -- The rtrId of the Pix that returns the money; null of cards and until the provider has said it.
    ALTER TABLE refunds ADD COLUMN provider_reference text;
    ALTER TABLE unexpected_payments ADD COLUMN provider_reference text;
  `,
};
