import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Migration } from '@plataforma/data';
import {
  databaseNameOf,
  type Platform,
  type PlatformOptions,
  type ServiceName,
  serviceNames,
  startPlatform,
} from '@plataforma/local';
import { claimVhost, copyTemplate, fromSetup, type Template } from './test-database.ts';
import { newTestFolder } from './test-folders.ts';

type SiteOptions = Pick<PlatformOptions, 'logLevel' | 'replicas' | 'drainMs' | 'web'> & {
  hasLimits?: boolean;
};

/** Where a test has a platform to itself: databases and a virtual host on the servers of its run. */
export interface TestSite {
  /** Where the services keep what is not in a database: their logs. */
  readonly dataDir: string;
  /** Once more, after it was stopped: on the same data. */
  start(): Promise<Platform>;
  /** Clears the site of a platform that was stopped. */
  clear(): Promise<void>;
}

/** Limits of callers are lifted, unless a test is about them. */
export async function claimSite({ hasLimits = false, ...options }: SiteOptions = {}): Promise<TestSite> {
  const dataDir = await newTestFolder();
  const prefix = basename(dataDir);
  const vhost = await claimVhost();
  for (const name of serviceNames) await copyTemplate(databaseNameOf(prefix, name), await templateOf(name));
  return {
    dataDir,
    start: () =>
      startPlatform({
        ...options,
        dataDir,
        ...(!hasLimits && { limits: 'lifted' as const }),
        port: null,
        postgres: { url: fromSetup('TEST_POSTGRES_URL'), pid: null },
        rabbitmq: { url: vhost, pid: null, hasUsers: true },
        databasePrefix: prefix,
      }),
    clear: () => rm(dataDir, { recursive: true, force: true }),
  };
}

/** The one of its tests: a site begins as a platform that has migrated, and starts again. */
async function templateOf(service: ServiceName): Promise<Template> {
  const { migratedBy } = await import('./world/open-test-database.ts');
  const { migrations }: { migrations: readonly Migration[] } = await import(
    join(import.meta.dirname, '../../../services', service, 'migrations/index.ts')
  );
  return migratedBy(migrations);
}
