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

/** A platform for one test, with databases and a virtual host of its own on the servers of the run. */
export interface TestSite {
  /** The data folder of the platform, which contains the logs of the services. */
  readonly dataDir: string;
  /** Starts the platform. A second call, after a stop, starts it again with the same data. */
  start(): Promise<Platform>;
  /** Removes the data folder; the platform must be stopped. */
  clear(): Promise<void>;
}

/**
 * Prepares a platform for one test. The limits of requests and log-ins are raised, unless `hasLimits` is
 * true.
 */
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

/**
 * Returns the database template that the service's own tests use, so that the platform starts with migrated
 * databases.
 */
async function templateOf(service: ServiceName): Promise<Template> {
  const { migratedBy } = await import('./world/open-test-database.ts');
  const { migrations }: { migrations: readonly Migration[] } = await import(
    join(import.meta.dirname, '../../../services', service, 'migrations/index.ts')
  );
  return migratedBy(migrations);
}
