import type { Migration } from '@plataforma/data';

export const eventLists: Migration = {
  name: '011_event_lists',
  sql: `
    -- When it happened, as its body says; created_at is when this service heard of it.
    ALTER TABLE events ADD COLUMN occurred_at timestamptz;
    UPDATE events SET occurred_at = (body::json ->> 'timestamp')::timestamptz;
    ALTER TABLE events ALTER COLUMN occurred_at SET NOT NULL;

    -- A merchant's feed: what is passed over or only counted is read from the index alone.
    CREATE INDEX events_newest ON events (merchant_id, environment, occurred_at DESC, id DESC) INCLUDE (type);
    -- What is old enough to be deleted.
    CREATE INDEX events_oldest ON events (created_at);
  `,
};
