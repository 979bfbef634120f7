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

/** A platform for one test: its own databases and virtual host on the servers of the run. */
export interface TestSite {
  /** The folder of the services' logs. */
  readonly dataDir: string;
  /** Starts the platform, or starts it again on the same data. */
  start(): Promise<Platform>;
  /** Removes the folder of a stopped platform. */
  clear(): Promise<void>;
}

/** Claims a site. Limits for callers are lifted unless the test needs them. */
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

/** Returns the template of the service's tests, so that the site starts with migrated databases. */
async function templateOf(service: ServiceName): Promise<Template> {
  const { migratedBy } = await import('./world/open-test-database.ts');
  const { migrations }: { migrations: readonly Migration[] } = await import(
    join(import.meta.dirname, '../../../services', service, 'migrations/index.ts')
  );
  return migratedBy(migrations);
}
