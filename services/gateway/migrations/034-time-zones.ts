import type { Migration } from '@plataforma/data';

export const timeZonesOfAccounts: Migration = {
  name: '034_time_zones',
  sql: `
    -- Accounts of before, and those that a replica of release 0.6.0 opens, go on with days of UTC.
    ALTER TABLE organizations ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC'`,
};
