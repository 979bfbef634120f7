import { defineMetrics, REQUEST_SECONDS } from '@plataforma/observe';

export const metrics = defineMetrics({
  plataforma_provider_call_duration_seconds: {
    kind: 'histogram',
    help:
      'Calls to providers, by outcome: done, refused, unknown (it may have been done) or unreachable (it ' +
      'was not done).',
    labels: ['provider', 'environment', 'operation', 'outcome'],
    buckets: REQUEST_SECONDS,
  },
  plataforma_unknown_outcomes: {
    kind: 'gauge',
    help: 'Orders to a provider whose outcome is not known yet.',
    labels: ['kind', 'environment'],
  },
  plataforma_unknown_oldest_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest order whose outcome is not known; 0 without any.',
    labels: ['kind', 'environment'],
  },
  plataforma_event_comparisons_total: {
    kind: 'counter',
    help:
      'Questions to subscribers about published events, by answer: equal, different, behind (its queue is ' +
      'not empty), restored, listed, unsupported (an earlier release), refused, or unanswered.',
    labels: ['subscriber', 'outcome'],
  },
  plataforma_alarms_open: {
    kind: 'gauge',
    help: 'Reports of providers that contradict the record and that no operator has decided yet.',
    labels: ['subject'],
  },
});
