import {
  boundOf,
  type InPlace,
  type Kept,
  type Migration,
  type Partitions,
  partitionedInPlace,
  pausedInPlace,
} from '@plataforma/data';
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

/** By the time of the event's own id, not of its arrival: wherever a copy of it comes, it meets the first one. */
const byMonth = { by: { uuid7: 'event_id' }, period: 'month' } as const;

export const outboxByMonth: Partitions & InPlace = {
  ...byMonth,
  table: 'outbox',
  keptWhile: 'kept.published_at IS NULL',
  storage: 'fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500',
  without: ['outbox_pkey', 'outbox_published'],
};

/** Letters whose event may still be applied. */
const WAITING_LETTERS = `SELECT event_id FROM dead_letters
  WHERE replayed_at IS NULL AND signature IS DISTINCT FROM 'invalid' AND event_id IS NOT NULL`;

export const inboxByMonth: Partitions & InPlace = {
  ...byMonth,
  table: 'inbox',
  neededBy: WAITING_LETTERS,
  // Releases before forgot an event 30 days after it came, unless its letter waited: what they may have forgotten is not taken
  // any more, and an older letter is ended before. A day is left for clocks.
  from: boundOf(byMonth, "now() AT TIME ZONE 'UTC' - interval '29 days'"),
  without: ['inbox_received'],
};

const tables = [inboxByMonth, outboxByMonth];

/** For a service that has outbox, inbox and dead letters. */
export const messagesByMonth: readonly Migration[] = [
  ...partitionedInPlace('messages_by_month', tables),
  pausedInPlace('messages_by_month_paused', tables),
];

/** Both for as many days after their month: what an outbox may publish once more, inboxes know. */
export function messagesKept(keepDays: number): readonly Kept[] {
  return tables.map((table) => ({ ...table, keepDays }));
}
