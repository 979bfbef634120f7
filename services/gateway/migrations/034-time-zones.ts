import type { Migration } from '@plataforma/data';

export const timeZonesOfAccounts: Migration = {
  name: '034_time_zones',
  sql: `
    -- Older accounts, and those that a replica of release 0.6.0 opens, keep UTC days.
    ALTER TABLE organizations ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC'`,
};
