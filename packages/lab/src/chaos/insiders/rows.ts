import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServiceName } from '@plataforma/testing';
import { eventually } from '@plataforma/testing';
import { execute } from '../faults/database.ts';
import type { AttemptContext } from './attempt.ts';

const WAIT = { timeoutMs: 20_000, intervalMs: 250 };
/** A long timeout, because another fault may have stopped the database. */
export const LONG_WAIT = { timeoutMs: 120_000, intervalMs: 250 };
const services = fileURLToPath(new URL('../../../../../services/', import.meta.url));

/** Loads a source file of a service, as an intruder could. Packages may not import such files. */
export const sourceOf = (service: ServiceName, path: string) => import(join(services, service, 'src', path));

/** Executes SQL with the service's login. Retries, because other faults may end connections. */
export function asService({ world }: AttemptContext, service: ServiceName, sql: string) {
  return eventually(() => execute(requireUrl(world.serviceUrls.get(service)), sql), LONG_WAIT);
}

/** Executes SQL as an administrator and without triggers, to clean up. */
export function cleanUp({ world }: AttemptContext, service: ServiceName, sql: string): Promise<unknown> {
  const all = `BEGIN; SET LOCAL session_replication_role = replica; ${sql}; COMMIT`;
  return eventually(() => execute(world.platform.databaseUrls[service], all), LONG_WAIT);
}

/** Inserts a copy of a row with `changes`, and with the seal of the original. */
export function copyRow(
  context: AttemptContext,
  { service, table, where, changes }: { service: ServiceName; table: string; where: string; changes: object },
) {
  const json = JSON.stringify(changes).replaceAll("'", "''");
  const sql = `
    INSERT INTO ${table} SELECT (jsonb_populate_record(original, '${json}')).* FROM ${table} original
    WHERE ${where} LIMIT 1 ON CONFLICT DO NOTHING`;
  return asService(context, service, sql);
}

function requireUrl(url: string | undefined): string {
  if (url === undefined) throw new Error('the service has no login');
  return url;
}

const ALARM = 'a row has no valid seal and is not worked on';

/** Waits until the log of a replica names the row. Returns the harm if no log does. */
export async function requireAlarm(
  { world }: AttemptContext,
  service: ServiceName,
  id: string,
): Promise<string[]> {
  const named = async () => {
    const files = (await readdir(world.dataDir, { recursive: true })).filter(
      (name) => name.endsWith('.log') && name.includes(service),
    );
    const logs = await Promise.all(files.map((name) => readFile(join(world.dataDir, name), 'utf8')));
    const lines = logs.flatMap((log) => log.split('\n'));
    if (!lines.some((line) => line.includes(ALARM) && line.includes(id))) throw new Error('not named yet');
  };
  return eventually(named, WAIT).then(
    () => [],
    () => [`no log of ${service} names the forged row ${id}`],
  );
}
