import { defineMetrics } from '@plataforma/observe';

/** What is measured of the pages' streams. */
export const metrics = defineMetrics({
  plataforma_web_streams: {
    kind: 'gauge',
    help: 'Pages that are told at once when something changes.',
    labels: [],
  },
  plataforma_web_broker_connected: {
    kind: 'gauge',
    help: '1 while events come in; at 0 pages see changes only when they ask, every 15 seconds.',
    labels: [],
  },
});
