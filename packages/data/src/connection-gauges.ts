import type { GaugeSample } from '@plataforma/observe';
import type { Database } from './database.ts';
import { metrics } from './metrics.ts';
import type { Reads } from './reads.ts';

const gauges = {
  work: 'plataforma_database_connections',
  reads: 'plataforma_reads_connections',
} as const;

/**
 * Returns the gauges of this process's connections. `busy` includes a connection that the caller of this
 * function is using.
 */
export function readConnections(
  pool: Pick<Database | Reads, 'connections'>,
  kind: keyof typeof gauges,
): GaugeSample[] {
  const { busy, idle, waiting, ...queued } = pool.connections();
  const inLine = 'inLine' in queued ? { in_line: Number(queued.inLine) } : {};
  return Object.entries({ busy, idle, waiting, ...inLine }).map(([state, count]) =>
    metrics.gauge(gauges[kind], { state }, count),
  );
}
