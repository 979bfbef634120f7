import { defineMetrics, REQUEST_SECONDS } from '@plataforma/observe';

/** What is measured of providers, of contradictions, and of operators’ stops. */
export const metrics = defineMetrics({
  plataforma_provider_call_duration_seconds: {
    kind: 'histogram',
    help: 'What providers were asked: done, refused, unknown (it may have been done), or unreachable (it was not).',
    labels: ['provider', 'environment', 'operation', 'outcome'],
    buckets: REQUEST_SECONDS,
  },
  plataforma_unknown_outcomes: {
    kind: 'gauge',
    help: 'What was asked of a provider and has no known end yet.',
    labels: ['kind', 'environment'],
  },
  plataforma_unknown_oldest_seconds: {
    kind: 'gauge',
    help: 'How long the first of what has no known end has been under way; 0 when there is none.',
    labels: ['kind', 'environment'],
  },
  plataforma_alarms_open: {
    kind: 'gauge',
    help: 'What providers have said that contradicts the record, and no operator has settled yet.',
    labels: ['subject'],
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
