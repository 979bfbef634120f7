import type { Migration } from '@plataforma/data';

/** Adds the tables with which producers find events that a subscriber has not received. */
export const comparedEvents: Migration = {
  name: 'compared_events',
  sql: `
    -- The service that signed the event; null for rows of release 0.6.0.
    ALTER TABLE inbox ADD COLUMN producer text;

    -- How far this service has compared its events with each subscriber: up to this id.
    CREATE TABLE compared_subscribers (
      subscriber text PRIMARY KEY,
      position   uuid NOT NULL,
      next_at    timestamptz NOT NULL
    );

    -- The same position in the subscriber's database. A restored database has an older one than the producer.
    CREATE TABLE compared_producers (
      producer text PRIMARY KEY,
      position uuid NOT NULL
    );

    -- Published events that a subscriber lacked.
    CREATE TABLE missing_events (
      subscriber      text NOT NULL,
      event_id        uuid NOT NULL,
      found_at        timestamptz NOT NULL DEFAULT now(),
      published_again integer NOT NULL DEFAULT 0,
      next_at         timestamptz NOT NULL DEFAULT now(),
      received_at     timestamptz,
      PRIMARY KEY (subscriber, event_id)
    );
    CREATE INDEX missing_events_waiting ON missing_events (subscriber, next_at) WHERE received_at IS NULL;
    CREATE INDEX dead_letters_event ON dead_letters (event_id);
    CREATE INDEX missing_events_received ON missing_events (received_at) WHERE received_at IS NOT NULL;
  `,
};
