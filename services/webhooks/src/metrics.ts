import { defineMetrics, REQUEST_SECONDS } from '@plataforma/observe';

export const metrics = defineMetrics({
  plataforma_delivery_duration_seconds: {
    kind: 'histogram',
    help: 'Attempts to deliver: delivered, refused (an answer that is no 2xx), timeout, or failed (no answer).',
    labels: ['outcome'],
    buckets: REQUEST_SECONDS,
  },
  plataforma_deliveries_waiting: {
    kind: 'gauge',
    help: 'Deliveries that are not at their end, due or not; no more than 100000 are counted.',
    labels: [],
  },
  plataforma_deliveries_oldest_due_seconds: {
    kind: 'gauge',
    help: 'How long ago the first of the deliveries that are due fell due; 0 when none is.',
    labels: [],
  },
  plataforma_webhook_endpoints: {
    kind: 'gauge',
    help: 'Endpoints: healthy, failing (the last attempt failed), untried or inactive; those held_back are among the others and get two requests at a time from this process, as they did not answer in time.',
    labels: ['state'],
  },
});
