import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Migration } from '@plataforma/data';
import type { RetainedPartitions } from './keep-partitions.ts';
import { type Partitions, partitionsSql } from './partitions.ts';

interface Baseline {
  name?: string;
  /** The folder with the file `<name>.sql`. */
  folder: string;
  /**
   * The last migration of release 0.6.0. A database upgraded from that release has run its migrations in
   * place of the baseline.
   */
  covers: string;
  /** The partitioned tables. Their partitions and functions are created after all other objects. */
  partitioned?: readonly Partitions[];
}

/**
 * Returns the schema of release 0.6.0 as one migration. Never edit its SQL, because a database upgraded from
 * 0.6.0 does not run it.
 */
export function baselineOf({ name = 'baseline', folder, covers, partitioned = [] }: Baseline): Migration {
  const sql = readFileSync(join(folder, `${name}.sql`), 'utf8');
  return { name, covers, sql: [sql, ...partitioned.map(partitionsSql)].join('\n') };
}

const folder = join(import.meta.dirname, '../migrations');
/** The name of the last migration of release 0.6.0, in every service except `webhooks` and `sandbox-psp`. */
export const LAST_OF_RELEASE = 'messages_by_month_paused';

/**
 * The partition follows the time in the event's id, not the time of arrival. So all copies of an event are in
 * the same partition.
 */
const byMonth = { by: 'event_id', period: 'month' } as const;

export const outboxByMonth: Partitions = {
  ...byMonth,
  table: 'outbox',
  keepWhile: 'kept.published_at IS NULL',
  storage: 'fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500',
};

export const inboxByMonth: Partitions = {
  ...byMonth,
  table: 'inbox',
  // The ids of events whose dead letters may still be replayed. The inbox must keep each month to which one
  // of these ids belongs.
  neededBy: `SELECT event_id FROM dead_letters
  WHERE replayed_at IS NULL AND signature IS DISTINCT FROM 'invalid' AND event_id IS NOT NULL`,
  // The start of the first partition, which must not be NULL. The service webhooks keeps deliveries per inbox
  // month, and finds the months by the starts of the partitions.
  from: `now() AT TIME ZONE 'UTC' - interval '29 days'`,
};

/**
 * Returns how long the inbox and the outbox keep their months. Both times are the same, because an inbox must
 * know each event that an outbox may publish again.
 */
export function messageRetention(keepDays: number): readonly RetainedPartitions[] {
  return [inboxByMonth, outboxByMonth].map((table) => ({ ...table, keepDays }));
}

/**
 * Creates outbox, inbox, dead letters, idempotency keys, audit log and anchors, for all services except the
 * sandbox.
 */
export const sharedTables = baselineOf({
  name: 'shared-tables',
  folder,
  covers: LAST_OF_RELEASE,
  partitioned: [inboxByMonth, outboxByMonth],
});

/**
 * Creates the tables of merchants, sandbox clocks and stops, for services that send orders to providers. It
 * must follow `sharedTables`.
 */
export const orderTables = baselineOf({
  name: 'order-tables',
  folder,
  covers: LAST_OF_RELEASE,
});

/** Adds the seals of announced events. Replicas of release 0.6.0 leave the column null. */
export const outboxSeals: Migration = {
  name: 'outbox_seals',
  sql: 'ALTER TABLE outbox ADD COLUMN seal text;',
};

/** Adds the seals of copies of merchants. */
export const merchantSeals: Migration = {
  name: 'merchant_seals',
  sql: 'ALTER TABLE merchants ADD COLUMN seal text;',
};
