import type { Migration } from '@plataforma/data';

export const leasedCharges: Migration = {
  name: '015_leased_charges',
  sql: `
    -- The claim of the process that works on a charge: what it orders and records is fenced by it. Null in between, and
    -- for claims of an older release, which are known by next_check_at alone.
    ALTER TABLE charges ADD COLUMN lease_token uuid, ADD COLUMN lease_until timestamptz;
  `,
};
