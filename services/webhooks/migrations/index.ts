import { baselineOf, inboxByMonth, type Partitions, rangesSql, sharedTables } from '@plataforma/tables';
import { failingEndpoints } from './031-failing-endpoints.ts';

/** Deliveries go with their event, by the time of its id and not of their own. */
export const deliveriesByMonth: Partitions = {
  table: 'deliveries',
  by: 'event_id',
  period: 'month',
  keepWhile: "kept.status = 'PENDING'",
  // Events that the inbox takes need a place, also events that may be replayed.
  neededBy: `SELECT lower FROM (${rangesSql(inboxByMonth)}) AS of_inbox`,
  storage: 'fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500',
};

/** A time from which deliveries exist. */
const neededBy = `
  SELECT coalesce(lower, '00000000-0000-0000-0000-000000000000') FROM (${rangesSql(deliveriesByMonth)}) AS of_deliveries`;

export const attemptsByMonth: Partitions = {
  table: 'delivery_attempts',
  by: 'event_id',
  period: 'month',
  neededBy,
};
export const eventsByMonth: Partitions = { table: 'events', by: 'id', period: 'month', neededBy };

/** In order. A migration is never edited after a release: upgraded databases do not run it again. */
export const migrations = [
  sharedTables,
  baselineOf({
    folder: import.meta.dirname,
    covers: '030_sealing_keys',
    partitioned: [eventsByMonth, deliveriesByMonth, attemptsByMonth],
  }),
  failingEndpoints,
];
