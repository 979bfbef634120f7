import type { Database, Migration } from '@plataforma/data';
import { type DomainEvent, readEvent } from '@plataforma/events';
import type { Running } from '@plataforma/service';
import { signedEventsOnly } from '../fakes/event-keys.ts';
import { claimVhost, createTestDatabase, releaseVhost } from '../test-database.ts';
import { migratedBy, openAt } from './open-test-database.ts';

interface Fake extends Running {
  /** Requests that the real peer would not allow. */
  readonly breaches?: readonly string[];
}

type Fakes = Readonly<Record<string, Fake>>;
type Started = Running & { readonly url: string };
type Settings = Readonly<Record<string, string>>;

interface ServiceWorldOptions<S extends Started, Tuning extends object, F extends Fakes> {
  start(env: NodeJS.ProcessEnv, tuning: Tuning): Promise<S>;
  /** The default tuning of replicas. */
  tuning: Tuning;
  migrations: readonly Migration[];
  /** The service's peers, which stop after the service. */
  fakes: F;
  /** The settings of every replica; null removes a default one. */
  settings: Readonly<Record<string, string | null>>;
  /** The broker. The default is a virtual host of the world's own. */
  brokerUrl?: string | undefined;
  /** A database on the test's own server, which has only the owner's role. */
  databaseUrl?: string | undefined;
  /** Keeps the virtual host claimed across the worker's files until the world stops. */
  isShared?: boolean | undefined;
}

export interface ServiceWorld<S extends Started, Tuning> {
  env: Record<string, string>;
  brokerUrl: string;
  /** A connection to the service's tables as their owner. */
  database: Database;
  /** The replica that starts with the world. */
  first: S;
  /** Starts a further replica on the same database. */
  startReplica(tuning?: Tuning, settings?: Settings): Promise<S>;
  /** Lists the published events of this aggregate, in order. */
  eventsOf(aggregateId: string): Promise<DomainEvent[]>;
  /** Registers a process to stop before the service stops. */
  stopFirst(running: Running): void;
  /** Throws if a fake got a request that it does not allow. */
  checkFakes(): void;
  /** Stops everything, then throws if a fake got a request that it does not allow. */
  stop(): Promise<void>;
}

/** An address without a broker, for a service that needs none. */
export const NO_BROKER = 'amqp://127.0.0.1:1';

const EVENTS = `SELECT body FROM outbox WHERE body::jsonb ->> 'aggregateId' = $1 ORDER BY position`;

/** Starts a service with its own database and virtual host, and with fake peers. */
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
  const database = openAt(home.url);

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
  if (breaches.length > 0) throw new Error(`not what was agreed:\n${breaches.join('\n')}`);
}
