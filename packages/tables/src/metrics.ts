import { defineMetrics } from '@plataforma/observe';

export const metrics = defineMetrics({
  plataforma_outbox_waiting: {
    kind: 'gauge',
    help: 'Unpublished events; at most 100000 are counted.',
    labels: [],
  },
  plataforma_outbox_oldest_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest unpublished event.',
    labels: [],
  },
  plataforma_outbox_not_taken: {
    kind: 'gauge',
    help:
      'Events that the broker did not take and that are published again: it refused their type, no queue ' +
      'took them, or it was full. At most 100000 are counted.',
    labels: ['type'],
  },
  plataforma_dead_letters: {
    kind: 'gauge',
    help: 'Dead letters that were not replayed; at most 100000 are counted.',
    labels: [],
  },
  plataforma_row_seals_broken_total: {
    kind: 'counter',
    help: 'Rows without a valid seal: missing or wrong and not worked on, or accepted while ROW_SEALS is accept.',
    labels: ['table', 'state'],
  },
  plataforma_events_missing: {
    kind: 'gauge',
    help:
      'Events that a subscriber lacked and that this service has published again within the last hour, or ' +
      'that have been missing for 15 minutes.',
    labels: ['subscriber'],
  },
  plataforma_events_compared_age_seconds: {
    kind: 'gauge',
    help: 'Age of the newest event that this service has compared with a subscriber.',
    labels: ['subscriber'],
  },
  plataforma_partitions_ahead: {
    kind: 'gauge',
    help: 'Periods after the current one, without a gap, that have a partition of the table.',
    labels: ['table'],
  },
  plataforma_partitions_overdue: {
    kind: 'gauge',
    help:
      'Partitions that still exist although their rows are past retention: due, or queued, because one is ' +
      'dropped a day.',
    labels: ['table', 'state'],
  },
  plataforma_chain_contradictions: {
    kind: 'gauge',
    help:
      'Sequences in the newest epoch of another service’s chain for which this service stores more than ' +
      'one hash.',
    labels: ['of', 'chain'],
  },
  plataforma_proposals_oldest_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest proposal of an operator that waits for an approval; 0 without any.',
    labels: [],
  },
  plataforma_stops_active: {
    kind: 'gauge',
    help: 'Stops of operators that block orders.',
    labels: ['what'],
  },
  plataforma_stops_waiting: {
    kind: 'gauge',
    help:
      'Orders that a stop blocks and that their provider is not known to have; at most 100000 of each kind ' +
      'are counted.',
    labels: ['what'],
  },
  plataforma_stops_started_alone: {
    kind: 'gauge',
    help: 'Stops that a single operator has ended within the last hour.',
    labels: ['what'],
  },
});
