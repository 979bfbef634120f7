import type { Migration } from '@plataforma/data';

export const cardSettings: Migration = {
  name: '005_card_settings',
  sql: `
    ALTER TABLE organizations
      ADD COLUMN card_fee_bps         integer NOT NULL DEFAULT 399 CHECK (card_fee_bps BETWEEN 0 AND 10000),
      ADD COLUMN card_fee_fixed_cents bigint NOT NULL DEFAULT 0 CHECK (card_fee_fixed_cents >= 0),
      ADD COLUMN card_enabled         boolean NOT NULL DEFAULT false,
      ADD COLUMN max_installments     integer NOT NULL DEFAULT 12 CHECK (max_installments BETWEEN 1 AND 18),
      ADD COLUMN settlement_days      integer NOT NULL DEFAULT 30 CHECK (settlement_days BETWEEN 0 AND 365);
  `,
};
