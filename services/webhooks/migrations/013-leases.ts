import type { Migration } from '@plataforma/data';

export const leases: Migration = {
  name: '013_leases',
  sql: `
    -- The end of the lease has a column of its own, which is in no index: to claim a delivery then writes its row, in
    -- the room its page has left for it, and none of the six index entries that a change of due_at takes.
    ALTER TABLE deliveries ADD COLUMN leased_until timestamptz;
    UPDATE deliveries SET leased_until = due_at WHERE lease_token IS NOT NULL;
    ALTER TABLE deliveries
      ADD CONSTRAINT deliveries_lease_ends CHECK ((lease_token IS NULL) = (leased_until IS NULL)),
      SET (fillfactor = 60);
  `,
};
