import type { Migration } from '@plataforma/data';

export const events: Migration = {
  name: '003_events',
  sql: `
    CREATE TABLE events (
      id          uuid PRIMARY KEY,
      merchant_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
      type        text NOT NULL,
      resource_id uuid NOT NULL,
      -- Exactly as it is sent, and signed, on every attempt.
      body        text NOT NULL,
      created_at  timestamptz NOT NULL DEFAULT now()
    );
  `,
};
