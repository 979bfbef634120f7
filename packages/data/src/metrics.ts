import { defineMetrics } from '@plataforma/observe';

/** What is measured of a process’s connections to its database. */
export const metrics = defineMetrics({
  plataforma_database_connections: {
    kind: 'gauge',
    help: 'Connections of this process: busy and idle; and how many wait for one.',
    labels: ['state'],
  },
});
