import { defineMetrics, REQUEST_SECONDS } from '@plataforma/observe';

export const metrics = defineMetrics({
  plataforma_http_request_duration_seconds: {
    kind: 'histogram',
    help: 'Requests by the pattern of their route; status "aborted" when the caller did not wait for the end; environment "none" where no merchant in one of them is known.',
    labels: ['method', 'route', 'environment', 'status'],
    buckets: REQUEST_SECONDS,
  },
  plataforma_slots_refused_total: {
    kind: 'counter',
    help: 'Requests that were refused because their pool had no slot for them, by pool and class of callers.',
    labels: ['pool', 'callers'],
  },
  plataforma_connections_refused_total: {
    kind: 'counter',
    help: 'Connections that were refused, by reason: the server has all it takes, their address has as many open as it may (open), or has opened too many within seconds (rate).',
    labels: ['reason'],
  },
});
