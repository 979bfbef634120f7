import type { Database, Migration } from '@plataforma/data';
import { type DomainEvent, readEvent } from '@plataforma/events';
import type { Running } from '@plataforma/service';
import { signedEventsOnly } from '../fakes/event-keys.ts';
import { claimVhost, createTestDatabase, releaseVhost } from '../test-database.ts';
import { migratedBy, openAt } from './open-test-database.ts';

interface Fake extends Running {
  /** Requests that the played peer would not allow. */
  readonly breaches?: readonly string[];
}

type Fakes = Readonly<Record<string, Fake>>;
type Started = Running & { readonly url: string };
type Settings = Readonly<Record<string, string>>;

interface ServiceWorldOptions<S extends Started, Tuning extends object, F extends Fakes> {
  start(env: NodeJS.ProcessEnv, tuning: Tuning): Promise<S>;
  /** The tuning of every replica without its own. */
  tuning: Tuning;
  migrations: readonly Migration[];
  /** The service's peers; stopped after it. */
  fakes: F;
  /** Null takes a setting away. */
  settings: Readonly<Record<string, string | null>>;
  /** A virtual host of the world's own when left out. */
  brokerUrl?: string | undefined;
  /** A database on a server of the test's own, which has no role but the owner's. */
  databaseUrl?: string | undefined;
  /** Keeps its virtual host from the worker's next file, until it stops. */
  isShared?: boolean | undefined;
}

export interface ServiceWorld<S extends Started, Tuning> {
  /** The environment of every replica. */
  env: Record<string, string>;
  brokerUrl: string;
  /** The service's own tables, as their owner sees them. */
  database: Database;
  /** The replica that was started along with the world. */
  first: S;
  /** One more replica on the same database. */
  startReplica(tuning?: Tuning, settings?: Settings): Promise<S>;
  /** Lists the announced events of this aggregate, in order. */
  eventsOf(aggregateId: string): Promise<DomainEvent[]>;
  /** Has this stopped before the service is. */
  stopFirst(running: Running): void;
  /** Throws when a fake was asked for what it does not allow. */
  checkFakes(): void;
  /** The same, when all is stopped. */
  stop(): Promise<void>;
}

/** For a service that needs none: nothing listens there. */
export const NO_BROKER = 'amqp://127.0.0.1:1';

const EVENTS = `SELECT body FROM outbox WHERE body::jsonb ->> 'aggregateId' = $1 ORDER BY position`;

/** A service on a database and virtual host of its own, between fakes. */
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
