import {
  type Migration,
  migrateOnStart,
  openDatabase,
  openReads,
  startDatabaseClock,
} from '@plataforma/data';
import { isProducer } from '@plataforma/events';
import { createVerifier } from '@plataforma/http';
import { createLog, type Log } from '@plataforma/observe';
import {
  auditLogChain,
  type Chain,
  createRowSeals,
  messageRetention,
  readAnchorContradictions,
  readPartitions,
  sharedTables,
  startAnnouncingHeads,
  startForgettingKeys,
  startPartitions,
} from '@plataforma/tables';
import type { Express } from 'express';
import { startMetrics } from '../metrics-server.ts';
import { hasBroker, takeConfig } from '../settings.ts';
import { type Begun, createBegun } from './begun.ts';
import { comparing } from './comparing.ts';
import { type BrokerLink, messagesOf, startMessages, subscriptionOf } from './messages.ts';
import { operatorRoutes } from './operator-routes.ts';
import { startServers } from './servers.ts';
import type { BackgroundJob, Core, RunningService, Service, ServiceConfig, Start } from './service.ts';
import { createStartRetry } from './start-retry.ts';

/**
 * Returns the function that starts a service. A stop ends its components level by level: entry points,
 * dependencies, metrics, database. After a failed start, the started components are stopped, and the first
 * error is thrown.
 */
export function defineService<
  Config extends ServiceConfig,
  Tuning extends object,
  Dependencies extends object,
>(service: Service<Config, Tuning, Dependencies>): Start<Tuning> {
  return (env, tuning, stopping) =>
    startService({ ...service, tuning: { ...service.tuning, ...tuning } }, env, stopping);
}

async function startService<Config extends ServiceConfig, Tuning extends object, Dependencies extends object>(
  service: Service<Config, Tuning, Dependencies>,
  env: NodeJS.ProcessEnv,
  stopping: AbortSignal | undefined,
): Promise<RunningService> {
  const config = takeConfig(service.config, env);
  const log = createLog({ service: service.name, level: config.LOG_LEVEL });
  const begun = createBegun({ log, stopping });
  try {
    const urls = await startComponents(service, { config, log, stopping, begun });
    const url = urls.get('main') ?? '';
    return {
      url,
      urlOf: (name) => urls.get(name) ?? url,
      async stop() {
        const errors = await begun.stopAll();
        if (errors.length > 0) throw errors[0];
      },
    };
  } catch (error) {
    await begun.stopAll();
    throw error;
  }
}

interface Beginning<Config> {
  config: Config;
  stopping: AbortSignal | undefined;
  log: Log;
  begun: Begun;
}

/** Starts each component after the components that it uses. Returns the URLs of the servers by name. */
async function startComponents<
  Config extends ServiceConfig,
  Tuning extends object,
  Dependencies extends object,
>(
  service: Service<Config, Tuning, Dependencies>,
  beginning: Beginning<Config>,
): Promise<ReadonlyMap<string, string>> {
  const { name, migrations, routes } = service;
  const { config, log, begun } = beginning;
  const core = await startCore({ name, migrations }, beginning);
  const built = { ...core, ...(await service.build(core, service.tuning)) };

  const messages = messagesOf(name, config);
  const apply = messages && service.apply?.(built);
  const subscription = apply && subscriptionOf(messages, apply, log);
  const link = messages && startMessages(messages, { subscription, core, begun });
  const chains = chainsOf(service);
  const announcing = link && messages?.signer ? announcingJob({ name, chains, link }) : [];
  const compared = comparing(messages, core, service.subscriberUrls?.(config) ?? {});
  const jobs = [...forgettingJobs(migrations), ...announcing, ...compared.jobs, ...(service.jobs ?? [])];
  for (const start of jobs) {
    const job = start(built);
    begun.add('entryPoints', () => job.stop());
  }
  const main = routes && {
    connectionLimit: null,
    mount(app: Express) {
      operatorRoutes(app, { name, core, subscription, link, chains });
      routes(app, built);
    },
  };
  const urls = await startServers(
    { ...service.servers?.(built), ...(main && { main }) },
    { core, link, begun },
  );
  const gauges = [
    ...(link?.gauges ?? []),
    ...(migrations.includes(sharedTables)
      ? [() => readPartitions(core.database, messageRetention(config.MESSAGES_RETENTION_DAYS))]
      : []),
    ...compared.gauges,
    ...(chains.length > 0 ? [() => readAnchorContradictions(core.database)] : []),
    ...(service.gauges?.(built) ?? []),
  ];
  const metrics = await startMetrics({ service: name, config, log, pools: core, gauges });
  begun.add('metrics', metrics.stop);
  return urls;
}

/** Starts the base of a service. The migrations run first, so that every query finds the newest schema. */
async function startCore<Config extends ServiceConfig>(
  { name, migrations }: { name: string; migrations: readonly Migration[] },
  { config, log, stopping, begun }: Beginning<Config>,
): Promise<Core<Config>> {
  const retry = createStartRetry({ config, log, stopping });
  await retry(() => migrateOnStart(config, migrations, name));
  const seals = hasBroker(config)
    ? createRowSeals({ keys: config.ROW_KEYS, mode: config.ROW_SEALS, log })
    : undefined;
  const pool = { url: config.DATABASE_URL, log, seals };
  const database = openDatabase({ ...pool, poolSize: config.DATABASE_POOL_SIZE });
  begun.add('database', () => database.close());
  const reads = openReads({ ...pool, poolSize: config.DATABASE_READS_POOL_SIZE });
  begun.add('database', () => reads.close());
  const { clock, stop } = await startDatabaseClock(database, log);
  begun.add('dependencies', stop);
  const verifier = createVerifier(name, hasBroker(config) ? config.TRUSTED_KEYS : new Map());
  return { config, log, database, reads, clock, verifier, retry, onStop: begun.add };
}

/** Returns the jobs that delete old rows of the shared tables. */
function forgettingJobs(migrations: readonly Migration[]): BackgroundJob<Core<ServiceConfig>>[] {
  if (!migrations.includes(sharedTables)) return [];
  return [
    (core) => startPartitions(core, messageRetention(core.config.MESSAGES_RETENTION_DAYS)),
    ({ database, log }) => startForgettingKeys(database, log),
  ];
}

/**
 * Returns the hash chains whose newest hashes the service announces. A service without the shared tables has
 * none.
 */
function chainsOf({
  migrations,
  chains = [auditLogChain],
}: Pick<Service<ServiceConfig, object, object>, 'migrations' | 'chains'>): readonly Chain[] {
  return migrations.includes(sharedTables) ? chains : [];
}

interface Announcing {
  name: string;
  chains: readonly Chain[];
  link: BrokerLink;
}

function announcingJob({ name, chains, link: { isListening } }: Announcing): BackgroundJob<Core<unknown>>[] {
  if (!isProducer(name) || chains.length === 0) return [];
  return [
    ({ database, log }) => startAnnouncingHeads({ database, log, producer: name, chains, isListening }),
  ];
}
