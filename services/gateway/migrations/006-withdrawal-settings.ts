import type { Migration } from '@plataforma/data';

export const withdrawalSettings: Migration = {
  name: '006_withdrawal_settings',
  sql: `
    ALTER TABLE organizations
      ADD COLUMN withdrawal_fee_cents         bigint NOT NULL DEFAULT 0 CHECK (withdrawal_fee_cents >= 0),
      ADD COLUMN withdrawal_fee_mode          text NOT NULL DEFAULT 'AMOUNT'
        CHECK (withdrawal_fee_mode IN ('AMOUNT', 'BALANCE')),
      ADD COLUMN auto_approve_limit_cents     bigint NOT NULL DEFAULT 0 CHECK (auto_approve_limit_cents >= 0),
      -- NULL: none.
      ADD COLUMN daily_withdrawal_limit_cents bigint CHECK (daily_withdrawal_limit_cents >= 0),
      ADD COLUMN destination_cooldown_hours   integer NOT NULL DEFAULT 0
        CHECK (destination_cooldown_hours BETWEEN 0 AND 720);
  `,
};
