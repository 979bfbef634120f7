import { join } from 'node:path';
import { type Migration, migrate } from '@plataforma/data';
import type { DatabaseUrls } from './databases.ts';
import { type ServiceName, serviceNames } from './settings-of.ts';

const SERVICES = join(import.meta.dirname, '../../../../services');

/** Brings each database to the newest schema as its owner, so that no service needs the owner's password. */
export async function migrateDatabases({ owner, application }: DatabaseUrls<ServiceName>): Promise<void> {
  await Promise.all(
    serviceNames.map(async (name) => migrate(owner[name], await migrationsOf(name), application[name])),
  );
}

async function migrationsOf(name: ServiceName): Promise<readonly Migration[]> {
  const module: { migrations: readonly Migration[] } = await import(
    join(SERVICES, name, 'migrations', 'index.ts')
  );
  return module.migrations;
}
