import type { Migration } from '@plataforma/data';

export const callersOfVisits: Migration = {
  name: '083_callers_of_visits',
  sql: `
    -- 24 bits of a hash of the network that began the visit; null if a replica of release 0.6.0 inserted the
    -- row.
    ALTER TABLE checkouts ADD COLUMN caller_group integer;
  `,
};
