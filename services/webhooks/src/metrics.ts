import { defineMetrics, REQUEST_SECONDS } from '@plataforma/observe';

export const metrics = defineMetrics({
  plataforma_delivery_duration_seconds: {
    kind: 'histogram',
    help:
      'Delivery attempts, by outcome: delivered, refused (a response other than 2xx), timeout, or failed ' +
      '(no response).',
    labels: ['outcome'],
    buckets: REQUEST_SECONDS,
  },
  plataforma_deliveries_waiting: {
    kind: 'gauge',
    help: 'Pending deliveries, due or not; at most 100000 are counted.',
    labels: [],
  },
  plataforma_deliveries_oldest_due_seconds: {
    kind: 'gauge',
    help: 'Time for which the oldest due delivery has been due; 0 without any.',
    labels: [],
  },
  plataforma_webhook_endpoints: {
    kind: 'gauge',
    help:
      'Endpoints by state: healthy, failing (the last attempt failed), untried or inactive. Those that are ' +
      'held_back count there, too: they timed out, and this process sends them two requests at a time.',
    labels: ['state'],
  },
});
