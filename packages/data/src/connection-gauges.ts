import type { GaugeSample } from '@plataforma/observe';
import type { Database } from './database.ts';
import { metrics } from './metrics.ts';

/** Of this process; busy are those that whatever asks for this has taken just before as well. */
export function readConnections(database: Database): GaugeSample[] {
  const { busy, idle, waiting } = database.connections();
  return Object.entries({ busy, idle, waiting }).map(([state, count]) =>
    metrics.gauge('plataforma_database_connections', { state }, count),
  );
}
