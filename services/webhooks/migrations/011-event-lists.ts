import type { Migration } from '@plataforma/chassis';

export const eventLists: Migration = {
  name: '011_event_lists',
  sql: `
    -- When it happened, as its body says; created_at is when this service heard of it.
    ALTER TABLE events ADD COLUMN occurred_at timestamptz;
    UPDATE events SET occurred_at = (body::json ->> 'timestamp')::timestamptz;
    ALTER TABLE events ALTER COLUMN occurred_at SET NOT NULL;

    -- Here and not where events are inserted, because a replica of the release before inserts them, too.
    CREATE FUNCTION read_occurred_at() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.occurred_at := (NEW.body::json ->> 'timestamp')::timestamptz;
      RETURN NEW;
    END $$;
    CREATE TRIGGER events_occurred_at BEFORE INSERT ON events
      FOR EACH ROW EXECUTE FUNCTION read_occurred_at();

    -- A merchant's feed: what is passed over or only counted is read from the index alone.
    CREATE INDEX events_newest ON events (merchant_id, environment, occurred_at DESC, id DESC) INCLUDE (type);
    -- What is old enough to be deleted.
    CREATE INDEX events_oldest ON events (created_at);
  `,
};
