import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Platform, type PlatformOptions, startPlatform } from '@plataforma/local';
import { claimVhost, fromSetup } from './test-database.ts';
import { newTestFolder } from './test-folders.ts';

type SiteOptions = Pick<PlatformOptions, 'logLevel' | 'replicas' | 'drainMs' | 'web'>;

/** Where a test has a platform to itself: databases and a virtual host on the servers of its run. */
export interface TestSite {
  /** Where the services keep what is not in a database: their logs. */
  readonly dataDir: string;
  /** Once more, after it was stopped: on the same data. */
  start(): Promise<Platform>;
  /** Of a platform that was stopped. */
  clear(): Promise<void>;
}

export async function claimSite(options: SiteOptions = {}): Promise<TestSite> {
  const dataDir = await newTestFolder();
  const vhost = await claimVhost();
  return {
    dataDir,
    start: () =>
      startPlatform({
        ...options,
        dataDir,
        limits: 'lifted',
        port: null,
        postgres: { url: fromSetup('TEST_POSTGRES_URL'), pid: null },
        rabbitmq: { url: vhost, pid: null, hasUsers: true },
        databasePrefix: basename(dataDir),
      }),
    clear: () => rm(dataDir, { recursive: true, force: true }),
  };
}
