import type { Database, Migration } from '@plataforma/data';
import { type DomainEvent, readEvent } from '@plataforma/events';
import type { Running } from '@plataforma/service';
import type { SealedRows } from '@plataforma/tables';
import { signedEventsOnly } from '../fakes/event-keys.ts';
import { claimVhost, createTestDatabase, releaseVhost } from '../test-database.ts';
import { migratedBy } from './open-test-database.ts';
import { openResealing, testRowKeys } from './resealing.ts';

interface Fake extends Running {
  /** The requests that the real service or provider would refuse as invalid. */
  readonly breaches?: readonly string[];
}

type Fakes = Readonly<Record<string, Fake>>;
type Started = Running & { readonly url: string };
type Settings = Readonly<Record<string, string>>;

interface ServiceWorldOptions<S extends Started, Tuning extends object, F extends Fakes> {
  start(env: NodeJS.ProcessEnv, tuning: Tuning): Promise<S>;
  /** The tuning of each replica, unless `startReplica` gets another tuning. */
  tuning: Tuning;
  migrations: readonly Migration[];
  /** The sealed tables. The test environment's own connection seals the rows that it changes. */
  sealed?: readonly SealedRows[];
  /** The fake services and providers that the service calls. They stop after the service. */
  fakes: F;
  /** Settings of every replica. A null value removes a default setting. */
  settings: Readonly<Record<string, string | null>>;
  /** The URL of the broker. If undefined, the test environment claims a virtual host of its own. */
  brokerUrl?: string | undefined;
  /**
   * The URL of an existing database, which the test environment uses instead of a new one. The service then
   * also migrates with this URL, and has no separate role.
   */
  databaseUrl?: string | undefined;
  /**
   * True if the virtual host stays claimed for later test files of the worker process, until the test
   * environment stops.
   */
  isShared?: boolean | undefined;
}

export interface ServiceWorld<S extends Started, Tuning> {
  env: Record<string, string>;
  brokerUrl: string;
  /** A connection to the service's database with the role that owns the tables. */
  database: Database;
  /** The replica that the test environment starts at its own start. */
  first: S;
  /** Starts another replica of the service with the same database. */
  startReplica(tuning?: Tuning, settings?: Settings): Promise<S>;
  /** Lists the events about this aggregate that the service has published, in their order. */
  eventsOf(aggregateId: string): Promise<DomainEvent[]>;
  /** Registers a process that must stop before the service stops. */
  stopFirst(running: Running): void;
  /** Throws if a fake service or provider has received an invalid request. */
  checkFakes(): void;
  /** Stops everything, and then throws if a fake service or provider has received an invalid request. */
  stop(): Promise<void>;
}

/** A URL at which no broker listens, for services that need no broker. */
export const NO_BROKER = 'amqp://127.0.0.1:1';

/** The size of the test environment's own pool of connections. */
const POOL_SIZE = 4;

const EVENTS = `SELECT body FROM outbox WHERE body::jsonb ->> 'aggregateId' = $1 ORDER BY position`;

/**
 * Starts a service with a database and a virtual host of its own. Fakes replace the services and providers
 * that it calls.
 */
export async function startServiceWorld<S extends Started, Tuning extends object, F extends Fakes>(
  options: ServiceWorldOptions<S, Tuning, F>,
): Promise<ServiceWorld<S, Tuning> & F> {
  const { fakes, databaseUrl, isShared = false } = options;
  const brokerUrl = options.brokerUrl ?? (await claimVhost({ isShared }));
  const home = databaseUrl
    ? { url: databaseUrl, env: { DATABASE_URL: databaseUrl } }
    : await createTestDatabase(migratedBy(options.migrations));
  const migrates = { MIGRATE_ON_START: databaseUrl ? 'true' : 'false' };
  const env = environment({
    ...home.env,
    ...migrates,
    AMQP_URL: brokerUrl,
    ...signedEventsOnly,
    ROW_KEYS: testRowKeys,
    EVENT_COMPARISON_SECONDS: '0',
    ...options.settings,
  });
  const replicas: Running[] = [];
  const before: Running[] = [];

  async function startReplica(tuning?: Tuning, settings: Settings = {}): Promise<S> {
    const service = await options.start({ ...env, ...settings }, { ...options.tuning, ...tuning });
    let stopped: Promise<void> | undefined;
    const stop = () => (stopped ??= service.stop());
    replicas.push({ stop });
    return { ...service, stop };
  }
  const first = await startReplica().catch(async (error) => {
    await stopAll(Object.values(fakes));
    throw error;
  });
  const database = openResealing(home.url, options.sealed ?? [], { poolSize: POOL_SIZE });

  return {
    ...fakes,
    env,
    brokerUrl,
    database,
    first,
    startReplica,
    async eventsOf(aggregateId) {
      const rows = await database.query<{ body: string }>(EVENTS, [aggregateId]);
      return rows.map(({ body }) => readEvent(Buffer.from(body)));
    },
    stopFirst: (running) => void before.push(running),
    checkFakes: () => expectNoBreaches(fakes),
    async stop() {
      await stopAll(before);
      await stopAll(replicas);
      await database.close();
      await stopAll(Object.values(fakes));
      if (isShared && !options.brokerUrl) await releaseVhost(brokerUrl);
      expectNoBreaches(fakes);
    },
  };
}

function environment(settings: Readonly<Record<string, string | null>>): Record<string, string> {
  const all = { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', ...settings };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}

async function stopAll(running: readonly Running[]): Promise<void> {
  await Promise.all(running.map((each) => each.stop()));
}

function expectNoBreaches(fakes: Fakes): void {
  const breaches = Object.entries(fakes).flatMap(([name, fake]) =>
    (fake.breaches ?? []).map((breach) => `${name}: ${breach}`),
  );
  if (breaches.length > 0) throw new Error(`a fake received an invalid request:\n${breaches.join('\n')}`);
}
