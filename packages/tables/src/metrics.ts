import { defineMetrics } from '@plataforma/observe';

export const metrics = defineMetrics({
  plataforma_outbox_waiting: {
    kind: 'gauge',
    help: 'Events that are not published yet; no more than 100000 are counted.',
    labels: [],
  },
  plataforma_outbox_oldest_seconds: {
    kind: 'gauge',
    help: 'How long the first of the events that are not published has waited.',
    labels: [],
  },
  plataforma_outbox_not_taken: {
    kind: 'gauge',
    help:
      'Events that the broker did not take when they were published, and that are tried again: it refused their type, no ' +
      'queue took them, or it was full. No more than 100000 are counted.',
    labels: ['type'],
  },
  plataforma_dead_letters: {
    kind: 'gauge',
    help: 'Dead letters that were not replayed; no more than 100000 are counted.',
    labels: [],
  },
  plataforma_partitions_ahead: {
    kind: 'gauge',
    help: 'Periods after the present one, without a gap, whose partition of the table is there.',
    labels: ['table'],
  },
  plataforma_partitions_overdue: {
    kind: 'gauge',
    help: 'Partitions of the table that are older than its rows are kept, and are still there: due; or queued, for one is dropped a day.',
    labels: ['table', 'state'],
  },
  plataforma_chain_contradictions: {
    kind: 'gauge',
    help: 'Places of a chain of another service for which more than one hash is kept here, in its newest epoch.',
    labels: ['of', 'chain'],
  },
  plataforma_stops_active: {
    kind: 'gauge',
    help: 'Stops of operators that hold orders up.',
    labels: ['what'],
  },
  plataforma_stops_waiting: {
    kind: 'gauge',
    help: 'Orders that stops hold up and that their providers are not known to have; of each sort no more than 100000 are counted.',
    labels: ['what'],
  },
  plataforma_stops_started_alone: {
    kind: 'gauge',
    help: 'Stops that a single operator has ended within the last hour, as there was no second one.',
    labels: ['what'],
  },
});
