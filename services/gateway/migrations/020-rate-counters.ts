import type { Migration } from '@plataforma/data';

/** As rate-limiter-flexible expects it: keys are hashes, `expire` is in milliseconds. */
export const rateCounters: Migration = {
  name: '020_rate_counters',
  sql: `
    CREATE TABLE rate_counters (
      key    text PRIMARY KEY,
      points integer NOT NULL DEFAULT 0,
      expire bigint
    );
    -- What has expired is deleted.
    CREATE INDEX rate_counters_expire ON rate_counters (expire);
  `,
};
