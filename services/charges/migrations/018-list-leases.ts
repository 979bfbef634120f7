import type { Migration } from '@plataforma/data';

export const listLeases: Migration = {
  name: '018_list_leases',
  sql: `
    -- Who reads a provider's list, and until when no other replica does: a late reader moves no cursor. The table has
    -- a row a list.
    ALTER TABLE provider_cursors
      ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
      ADD COLUMN attempts integer NOT NULL DEFAULT 0,
      ADD COLUMN lease_token uuid,
      ADD COLUMN lease_until timestamptz;

    -- Who tells the provider of the evidence.
    ALTER TABLE disputes
      ADD COLUMN forward_token uuid,
      ADD COLUMN forward_until timestamptz;
  `,
};
