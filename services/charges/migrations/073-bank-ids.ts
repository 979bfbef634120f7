import type { Migration } from '@plataforma/data';

export const bankIds: Migration = {
  name: '073_bank_ids',
  sql: `
    -- The acquirer's number of a card payment and the issuer's code; null for Pix and for older payments.
    ALTER TABLE charges ADD COLUMN nsu text, ADD COLUMN authorization_code text;
    -- The rtrId of the Pix that returns the money; null for cards, and until the provider reports it.
    ALTER TABLE refunds ADD COLUMN provider_reference text;
    ALTER TABLE unexpected_payments ADD COLUMN provider_reference text;
  `,
};
