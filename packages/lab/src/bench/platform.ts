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
import { openClosers } from './closers.ts';
import type { Opened } from './run.ts';

const LINES = 10;

/** Starts servers and services on fresh data, which its stop removes; or on those of a folder, where they stay. */
export async function openPlatform({
  keptIn,
  ...extra
}: Pick<PlatformOptions, 'web'> & { keptIn?: string | undefined } = {}): Promise<
  Opened<Platform> & { servers: ServerVersions }
> {
  const { defer, close } = openClosers();
  try {
    const dataDir = keptIn ?? (await mkdtemp(join(tmpdir(), 'plataforma-bench-')));
    if (!keptIn) defer(() => rm(dataDir, { recursive: true, force: true }));
    const infrastructure = await findInfrastructure({ dataDir, say: console.log });
    defer(infrastructure.stop);
    const options = { ...extra, dataDir, port: null, logLevel: 'warn', limits: 'lifted' } as const;
    const platform = await startPlatform({ ...options, ...infrastructure });
    defer(platform.stop);
    const servers = await serverVersions(infrastructure.postgres.url, infrastructure.rabbitmq.url);
    return { platform, servers, logs: () => logTails(dataDir, LINES), stop: close };
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
}
