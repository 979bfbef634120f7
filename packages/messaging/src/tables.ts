import type { Migration } from '@plataforma/data';
import { aggregateOf } from './aggregate.ts';

/** The tables a service needs to announce and to listen; each service lists them among its own migrations. */
export const messagingTables: Migration = {
  name: '001_messaging',
  sql: `
    CREATE TABLE outbox (
      position     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      event_id     uuid NOT NULL UNIQUE,
      type         text NOT NULL,
      body         text NOT NULL,
      attempts     integer NOT NULL DEFAULT 0,
      available_at timestamptz NOT NULL DEFAULT now(),
      created_at   timestamptz NOT NULL DEFAULT now(),
      published_at timestamptz
    ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
    -- The relay's claim: what waits, in order.
    CREATE INDEX outbox_waiting ON outbox (position) WHERE published_at IS NULL;
    -- Pruning of what was published long ago.
    CREATE INDEX outbox_published ON outbox (published_at) WHERE published_at IS NOT NULL;

    CREATE TABLE inbox (
      event_id    uuid PRIMARY KEY,
      received_at timestamptz NOT NULL DEFAULT now()
    );
    -- Pruning of what was handled long ago.
    CREATE INDEX inbox_received ON inbox (received_at);
  `,
};

/** What the broker did not take when it was published, of which there is mostly none; the relay holds back what follows on it. */
export const notTakenIndex: Migration = {
  name: 'outbox_not_taken',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS outbox_not_taken',
    `CREATE INDEX CONCURRENTLY outbox_not_taken ON outbox ((${aggregateOf('body')}))
      WHERE published_at IS NULL AND attempts > 0`,
  ],
};
