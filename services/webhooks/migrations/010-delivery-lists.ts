import type { Migration } from '@plataforma/data';

export const deliveryLists: Migration = {
  name: '010_delivery_lists',
  sql: `
    -- The event's type, so that a list is narrowed to it without reading the events.
    ALTER TABLE deliveries ADD COLUMN event_type text;
    UPDATE deliveries d SET event_type = e.type FROM events e WHERE e.id = d.event_id;
    ALTER TABLE deliveries ALTER COLUMN event_type SET NOT NULL;

    -- A merchant's list: what is passed over or only counted is read from the index alone.
    CREATE INDEX deliveries_newest ON deliveries (merchant_id, environment, created_at DESC, id DESC)
      INCLUDE (status, configuration_id, event_type);
    -- The operators' list; and, from its other end, what is old enough to be deleted.
    CREATE INDEX deliveries_newest_of_all ON deliveries (created_at DESC, id DESC)
      INCLUDE (environment, status, event_type);
    -- What failed, which is what both are narrowed to most, and is little.
    CREATE INDEX deliveries_failed ON deliveries (merchant_id, environment, created_at DESC, id DESC)
      INCLUDE (configuration_id, event_type) WHERE status = 'FAILED';
    CREATE INDEX deliveries_failed_of_all ON deliveries (created_at DESC, id DESC)
      INCLUDE (environment, event_type) WHERE status = 'FAILED';
    -- Deliveries about one resource, by way of its events.
    CREATE INDEX events_of_resource ON events (resource_id);
  `,
};
