import {
  baselineOf,
  comparedEvents,
  inboxByMonth,
  outboxSeals,
  type Partitions,
  rangesSql,
  sealedResponses,
  sharedTables,
} from '@plataforma/tables';
import { failingEndpoints } from './031-failing-endpoints.ts';
import { rowSeals } from './032-row-seals.ts';
import { resends } from './033-resends.ts';

/**
 * Deliveries are partitioned by the time in the id of their event, so that a delivery and its event are
 * dropped together.
 */
export const deliveriesByMonth: Partitions = {
  table: 'deliveries',
  by: 'event_id',
  period: 'month',
  keepWhile: "kept.status = 'PENDING'",
  // Each month of the inbox also needs a partition of deliveries, because the deliveries of an accepted
  // message are stored in the message's month.
  neededBy: `SELECT lower FROM (${rangesSql(inboxByMonth)}) AS of_inbox`,
  storage: 'fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500',
};

/** SQL: the first id of each month of deliveries. */
const neededBy = `
  SELECT coalesce(lower, '00000000-0000-0000-0000-000000000000')
  FROM (${rangesSql(deliveriesByMonth)}) AS of_deliveries`;

export const attemptsByMonth: Partitions = {
  table: 'delivery_attempts',
  by: 'event_id',
  period: 'month',
  neededBy,
};
export const eventsByMonth: Partitions = { table: 'events', by: 'id', period: 'month', neededBy };

/**
 * The migrations in order. A released migration is never edited, because upgraded databases do not run it
 * again.
 */
export const migrations = [
  sharedTables,
  baselineOf({
    folder: import.meta.dirname,
    covers: '030_sealing_keys',
    partitioned: [eventsByMonth, deliveriesByMonth, attemptsByMonth],
  }),
  failingEndpoints,
  outboxSeals,
  comparedEvents,
  rowSeals,
  resends,
  sealedResponses,
];
