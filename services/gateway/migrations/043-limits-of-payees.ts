import type { Migration } from '@plataforma/data';

export const limitsOfPayees: Migration = {
  name: '043_limits_of_payees',
  sql: `
    -- Null: no limit. Older accounts, and those that a replica of release 0.6.0 opens, have none.
    ALTER TABLE organizations ADD COLUMN new_payees_per_day integer CHECK (new_payees_per_day >= 0);
    -- The limits of withdrawals in which the sandbox differs from production.
    ALTER TABLE organizations ADD COLUMN sandbox_limits jsonb NOT NULL DEFAULT '{}';
  `,
};
