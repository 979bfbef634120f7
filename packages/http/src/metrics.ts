import { defineMetrics, REQUEST_SECONDS } from '@plataforma/observe';

export const metrics = defineMetrics({
  plataforma_http_request_duration_seconds: {
    kind: 'histogram',
    help:
      'Requests by the pattern of their route; status "aborted" if the caller did not wait for the ' +
      'response; environment "none" without a known merchant.',
    labels: ['method', 'route', 'environment', 'status'],
    buckets: REQUEST_SECONDS,
  },
  plataforma_slots_refused_total: {
    kind: 'counter',
    help: 'Requests that their pool refused because it had no free slot, by pool and class of callers.',
    labels: ['pool', 'callers'],
  },
  plataforma_connections_refused_total: {
    kind: 'counter',
    help:
      'Refused connections, by reason: the server is full, their address has too many open (open), or ' +
      'opened too many within seconds (rate).',
    labels: ['reason'],
  },
  plataforma_orders_unproven_total: {
    kind: 'counter',
    help:
      'Orders and approvals of money without a good signature of the gateway: refused, by verdict, or ' +
      'accepted while ORDER_SIGNATURES is accept.',
    labels: ['verdict'],
  },
});
