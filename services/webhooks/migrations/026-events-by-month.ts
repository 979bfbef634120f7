import { type InPlace, partitionedInPlace, rangesSql } from '@plataforma/data';
import { inboxByMonth } from '@plataforma/messaging';

/** All that belongs to an event goes with it, by the time of its id, and not by that of a delivery. */
export const deliveriesByMonth = {
  ...{ table: 'deliveries', by: { uuid7: 'event_id' }, period: 'month' },
  keptWhile: "kept.status = 'PENDING'",
  // What the inbox takes finds its place; it takes what may be replayed, too.
  neededBy: `SELECT lower FROM (${rangesSql(inboxByMonth)}) AS of_inbox`,
  storage: 'fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500',
} as const satisfies InPlace;

/** One of a time from which there are deliveries. */
const neededBy = `
  SELECT coalesce(lower, '00000000-0000-0000-0000-000000000000') FROM (${rangesSql(deliveriesByMonth)}) AS of_deliveries`;

export const attemptsByMonth = {
  ...{ table: 'delivery_attempts', by: { uuid7: 'event_id' }, period: 'month' },
  neededBy,
} as const satisfies InPlace;

export const eventsByMonth = {
  ...{ table: 'events', by: { uuid7: 'id' }, period: 'month' },
  neededBy,
  // It was for finding what is old.
  without: ['events_oldest'],
} as const satisfies InPlace;

export const byMonth = partitionedInPlace('026_events_by_month', [
  eventsByMonth,
  deliveriesByMonth,
  attemptsByMonth,
]);
