import type { Migration } from '@plataforma/data';

export const deliveries: Migration = {
  name: '004_deliveries',
  sql: `
    CREATE TABLE deliveries (
      id               uuid PRIMARY KEY,
      merchant_id      uuid NOT NULL,
      environment      text NOT NULL CHECK (environment IN ('production', 'sandbox')),
      event_id         uuid NOT NULL REFERENCES events (id),
      configuration_id uuid NOT NULL REFERENCES configurations (id),
      status           text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'SUCCEEDED', 'FAILED')),
      -- Those whose result is known.
      attempts         integer NOT NULL DEFAULT 0 CHECK (attempts BETWEEN 0 AND 6),
      -- When it may be claimed: its next attempt, or, while a sender has it, the end of that sender's lease.
      due_at           timestamptz DEFAULT now(),
      lease_token      uuid,
      created_at       timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT deliveries_pending_is_due CHECK ((status = 'PENDING') = (due_at IS NOT NULL)),
      CONSTRAINT deliveries_final_is_free CHECK (status = 'PENDING' OR lease_token IS NULL),
      -- An event is delivered once to each configuration.
      CONSTRAINT deliveries_once UNIQUE (event_id, configuration_id)
    ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
    -- The sender's claim: configurations with something waiting, and what of each is due.
    CREATE INDEX deliveries_waiting ON deliveries (configuration_id, due_at) WHERE status = 'PENDING';

    CREATE TABLE delivery_attempts (
      delivery_id uuid NOT NULL,
      number      integer NOT NULL,
      merchant_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
      at          timestamptz NOT NULL,
      duration_ms integer NOT NULL,
      status_code integer,
      -- Why there was no answer.
      failure     text,
      PRIMARY KEY (delivery_id, number),
      CONSTRAINT delivery_attempts_result CHECK ((status_code IS NULL) = (failure IS NOT NULL))
    );
  `,
};
