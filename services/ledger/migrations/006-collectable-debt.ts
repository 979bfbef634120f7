import type { Migration } from '@plataforma/data';

export const collectableDebt: Migration = {
  name: '006_collectable_debt',
  sql: `
    -- The part of the dispute debt that is collected from whatever becomes available.
    ALTER TABLE wallets
      ADD COLUMN collectable_debt_cents bigint NOT NULL DEFAULT 0 CHECK (collectable_debt_cents >= 0),
      ADD CONSTRAINT wallets_collectable_debt CHECK (collectable_debt_cents <= dispute_debt_cents),
      -- Money that belongs to no merchant is on the platform's accounts only.
      ADD CONSTRAINT wallets_merchant CHECK (merchant_id <> '00000000-0000-0000-0000-000000000000');
  `,
};
