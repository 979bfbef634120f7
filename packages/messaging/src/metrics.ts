import { defineMetrics } from '@plataforma/observe';

/**
 * The buckets of the lag. The highest ones are for events that waited while the database or the broker was
 * unavailable.
 */
const LAG_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1_800, 7_200] as const;

export const metrics = defineMetrics({
  plataforma_queue_messages: {
    kind: 'gauge',
    help: 'Messages that wait in a queue of this service, without those that a consumer has taken.',
    labels: ['queue'],
  },
  plataforma_queue_consumers: {
    kind: 'gauge',
    help: 'Consumers of a queue of this service.',
    labels: ['queue'],
  },
  plataforma_event_lag_seconds: {
    kind: 'histogram',
    help: 'Time from the occurrence of an event to the commit of its effect here.',
    labels: ['type'],
    buckets: LAG_SECONDS,
  },
  plataforma_events_total: {
    kind: 'counter',
    help: 'Received events, by outcome: applied, a duplicate of an applied one, or dead (a dead letter).',
    labels: ['type', 'outcome'],
  },
  plataforma_events_unclaimable_total: {
    kind: 'counter',
    help:
      'Events that became dead letters because of the time in their id: old (before the months that the ' +
      'inbox keeps) or ahead (by more than an hour).',
    labels: ['cause'],
  },
  plataforma_event_signatures_total: {
    kind: 'counter',
    help:
      'Received events, by signature: valid, unsigned, unchecked (the keys of the producer are not known ' +
      'here) or invalid (never applied).',
    labels: ['verdict'],
  },
  plataforma_hints_total: {
    kind: 'counter',
    help: 'Hints for live lists, which have no outbox: sent, or dropped because the broker was away or too slow.',
    labels: ['outcome'],
  },
});
