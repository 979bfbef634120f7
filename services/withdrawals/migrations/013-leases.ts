import type { Migration } from '@plataforma/data';

export const leases: Migration = {
  name: '013_leases',
  sql: `
    -- Each claim's own token and end. A notice moves next_check_at and cuts no lease short.
    ALTER TABLE withdrawals
      ADD COLUMN lease_token uuid,
      ADD COLUMN lease_until timestamptz,
      ADD CHECK ((lease_token IS NULL) = (lease_until IS NULL));
  `,
};
