import { defineMetrics } from '@plataforma/observe';

/** The upper buckets show events that waited for an unavailable database or broker. */
const LAG_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1_800, 7_200] as const;

export const metrics = defineMetrics({
  plataforma_queue_messages: {
    kind: 'gauge',
    help: 'Messages that wait in a queue of this service, without those a reader has taken.',
    labels: ['queue'],
  },
  plataforma_queue_consumers: {
    kind: 'gauge',
    help: 'How many read a queue of this service.',
    labels: ['queue'],
  },
  plataforma_event_lag_seconds: {
    kind: 'histogram',
    help: 'From when an event occurred to the commit of what it does here.',
    labels: ['type'],
    buckets: LAG_SECONDS,
  },
  plataforma_events_total: {
    kind: 'counter',
    help: 'Events that came: applied, a duplicate of what was applied, or dead, which went to the dead letters.',
    labels: ['type', 'outcome'],
  },
  plataforma_events_unclaimable_total: {
    kind: 'counter',
    help:
      'Events that became dead letters for the time of their id: old, before the months that the inbox still has, or ahead, ' +
      'by more than an hour.',
    labels: ['cause'],
  },
  plataforma_event_signatures_total: {
    kind: 'counter',
    help:
      'Events that came, by their signature: valid, unsigned, unchecked (the keys of its producer are not known here) ' +
      'or invalid, which is never applied.',
    labels: ['verdict'],
  },
  plataforma_hints_total: {
    kind: 'counter',
    help: 'Hints for live lists, which have no outbox: sent, or dropped while the broker was away or too slow.',
    labels: ['outcome'],
  },
});
