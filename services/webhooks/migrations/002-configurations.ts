import type { Migration } from '@plataforma/data';

export const configurations: Migration = {
  name: '002_configurations',
  sql: `
    CREATE TABLE configurations (
      id            uuid PRIMARY KEY,
      merchant_id   uuid NOT NULL,
      environment   text NOT NULL CHECK (environment IN ('production', 'sandbox')),
      url           text NOT NULL,
      -- Empty: all events.
      events        text[] NOT NULL,
      secret_key_id text NOT NULL,
      secret_sealed bytea NOT NULL,
      is_active     boolean NOT NULL DEFAULT true,
      -- Counts up with every change of the secret.
      version       integer NOT NULL DEFAULT 1,
      created_at    timestamptz NOT NULL DEFAULT now()
    );
    -- A merchant's list, the count against the limit, and who wants to hear of an event.
    CREATE INDEX configurations_owner ON configurations (merchant_id, environment, created_at DESC);
  `,
};
