import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  findInfrastructure,
  logTails,
  type Platform,
  type PlatformOptions,
  startPlatform,
} from '@plataforma/local';
import { type ServerVersions, serverVersions } from '@plataforma/testing';
import type { Opened } from './run.ts';

const LINES = 10;

/** Starts PostgreSQL, the broker and all services on empty data. `stop` ends them and removes the data. */
export async function openPlatform(
  extra: Pick<PlatformOptions, 'web'> = {},
): Promise<Opened<Platform> & { servers: ServerVersions }> {
  const closers = new AsyncDisposableStack();
  try {
    const dataDir = await mkdtemp(join(tmpdir(), 'plataforma-bench-'));
    closers.defer(() => rm(dataDir, { recursive: true, force: true }));
    const infrastructure = await findInfrastructure({ dataDir, say: console.log });
    closers.defer(infrastructure.stop);
    const options = { ...extra, dataDir, port: null, logLevel: 'warn', limits: 'lifted' } as const;
    const platform = await startPlatform({ ...options, ...infrastructure });
    closers.defer(platform.stop);
    const servers = await serverVersions(infrastructure.postgres.url, infrastructure.rabbitmq.url);
    return { platform, servers, logs: () => logTails(dataDir, LINES), stop: () => closers.disposeAsync() };
  } catch (error) {
    await closers.disposeAsync().catch(() => {});
    throw error;
  }
}
