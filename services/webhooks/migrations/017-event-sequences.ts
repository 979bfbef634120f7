import type { Migration } from '@plataforma/data';

export const eventSequences: Migration = {
  name: '017_event_sequences',
  sql: `
    -- Counts up per object, as its emitter keeps it in the object's own row; null: stored before it was kept.
    ALTER TABLE events ADD COLUMN sequence bigint;
    -- The object of a test is its configuration.
    ALTER TABLE configurations ADD COLUMN tests integer NOT NULL DEFAULT 0;
  `,
};
