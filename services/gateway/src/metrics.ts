import { defineMetrics } from '@plataforma/observe';

/** What is measured of the services behind. */
export const metrics = defineMetrics({
  plataforma_circuit_open: {
    kind: 'gauge',
    help: '1 while this gateway turns a class of callers of a service away, because the service did not answer them.',
    labels: ['to', 'callers'],
  },
});
