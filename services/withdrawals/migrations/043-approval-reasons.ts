import type { Migration } from '@plataforma/data';

export const approvalReasons: Migration = {
  name: '043_approval_reasons',
  sql: `
    -- The limit of the day that makes an approval necessary; null if no limit of the day does.
    ALTER TABLE withdrawals ADD COLUMN approval_reason text;
    -- No earlier day's withdrawal, and none that an operator approved, has paid this payee.
    ALTER TABLE withdrawals ADD COLUMN has_new_payee boolean NOT NULL DEFAULT false;
  `,
};
