import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Migration } from '@plataforma/data';
import type { RetainedPartitions } from './keep-partitions.ts';
import { type Partitions, partitionsSql } from './partitions.ts';

interface Baseline {
  name?: string;
  /** The folder of `<name>.sql`. */
  folder: string;
  /** The last migration of release 0.6.0, which an upgraded database has run instead. */
  covers: string;
  /** The partitioned tables, whose partitions and functions are created last. */
  partitioned?: readonly Partitions[];
}

/** The schema of release 0.6.0 as one migration; never edited, because upgraded databases do not run it. */
export function baselineOf({ name = 'baseline', folder, covers, partitioned = [] }: Baseline): Migration {
  const sql = readFileSync(join(folder, `${name}.sql`), 'utf8');
  return { name, covers, sql: [sql, ...partitioned.map(partitionsSql)].join('\n') };
}

const folder = join(import.meta.dirname, '../migrations');
/** The last migration of release 0.6.0 in every service but webhooks and the sandbox. */
export const LAST_OF_RELEASE = 'messages_by_month_paused';

/** The month is that of the event's id and not of its arrival, so that all copies go to one partition. */
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
  // Dead letters whose event may still be applied.
  neededBy: `SELECT event_id FROM dead_letters
  WHERE replayed_at IS NULL AND signature IS DISTINCT FROM 'invalid' AND event_id IS NOT NULL`,
  // A lower bound, with which the deliveries of webhooks are compared.
  from: `now() AT TIME ZONE 'UTC' - interval '29 days'`,
};

/** Returns one retention for both, because an inbox must know each event that an outbox may publish again. */
export function messageRetention(keepDays: number): readonly RetainedPartitions[] {
  return [inboxByMonth, outboxByMonth].map((table) => ({ ...table, keepDays }));
}

/** Outbox, inbox, dead letters, idempotency keys, audit log and anchors, for all services but the sandbox. */
export const sharedTables = baselineOf({
  name: 'shared-tables',
  folder,
  covers: LAST_OF_RELEASE,
  partitioned: [inboxByMonth, outboxByMonth],
});

/** Merchants, sandbox clocks and stops, for services that order from providers. Follows `sharedTables`. */
export const orderTables = baselineOf({
  name: 'order-tables',
  folder,
  covers: LAST_OF_RELEASE,
});
