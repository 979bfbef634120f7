import { defineMetrics, REQUEST_SECONDS } from '@plataforma/observe';

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
});
