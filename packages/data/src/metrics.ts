import { defineMetrics } from '@plataforma/observe';

export const metrics = defineMetrics({
  plataforma_database_connections: {
    kind: 'gauge',
    help:
      'Connections of this process: busy, idle, and requests that wait for one; also statements of ' +
      'accounts that wait in line.',
    labels: ['state'],
  },
  plataforma_reads_connections: {
    kind: 'gauge',
    help: 'Connections of this process for lists: busy, idle, and statements that wait for one.',
    labels: ['state'],
  },
  plataforma_counters_unfolded: {
    kind: 'gauge',
    help: 'Changes of counters that are not folded into totals yet; at most 200000 are counted.',
    labels: ['counters'],
  },
  plataforma_reads_refused_total: {
    kind: 'counter',
    help:
      'Refused statements of lists, by reason: the statement was slow, or the line of all, of sandboxes, ' +
      'of networks or of the account was full or too slow.',
    labels: ['cause'],
  },
});
