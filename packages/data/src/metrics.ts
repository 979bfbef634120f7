import { defineMetrics } from '@plataforma/observe';

export const metrics = defineMetrics({
  plataforma_database_connections: {
    kind: 'gauge',
    help: 'Connections of this process: busy and idle; how many wait for one; and how many statements of accounts wait in line for their turn.',
    labels: ['state'],
  },
  plataforma_reads_connections: {
    kind: 'gauge',
    help: 'Connections of this process that read lists: busy and idle; and how many statements wait for one.',
    labels: ['state'],
  },
  plataforma_counters_unfolded: {
    kind: 'gauge',
    help: 'Changes of counters that every total adds up until they are folded; at most 200000 are shown.',
    labels: ['counters'],
  },
  plataforma_reads_refused_total: {
    kind: 'counter',
    help: 'Statements of lists that were refused: the line of all (full), of all sandboxes, of all networks or of their account was full or too slow, or the statement was slow.',
    labels: ['cause'],
  },
});
