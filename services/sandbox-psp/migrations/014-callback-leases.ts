import type { Migration } from '@plataforma/data';

export const callbackLeases: Migration = {
  name: '014_callback_leases',
  sql: `
    ALTER TABLE callbacks
      -- One each, of those still to be sent.
      ADD COLUMN id uuid,
      -- Until when no other replica takes it, whatever due_at says.
      ADD COLUMN lease_until timestamptz;
    ALTER TABLE callbacks ALTER COLUMN id SET DEFAULT gen_random_uuid();
    UPDATE callbacks SET id = gen_random_uuid() WHERE state = 'PENDING';
    -- The callback that was claimed, or sent.
    CREATE UNIQUE INDEX callbacks_id ON callbacks (id) WHERE state = 'PENDING';
  `,
};
