import type { Migration } from '@plataforma/data';

export const eventOrder: Migration = {
  name: '018_event_order',
  sql: `
    -- The transaction that stored the event. Once none from before it runs, the order of these and the ids is final: what
    -- commits late comes before nothing that was shown. Events from before it have 0, and the order of their ids.
    ALTER TABLE events ADD COLUMN xid xid8 NOT NULL DEFAULT '0';
    ALTER TABLE events ALTER COLUMN xid SET DEFAULT pg_current_xact_id();
  `,
};
