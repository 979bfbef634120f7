import { createLog, type Database, openDatabase } from '@plataforma/chassis';
import { type DomainEvent, readEvent } from '@plataforma/events';
import {
  claimVhost,
  createTestDatabase,
  type FakeGateway,
  startFakeGateway,
  type TestDatabase,
} from '@plataforma/testing';
import { startCharges } from '../../src/service.ts';
import { CALLBACK_SECRET, type Client, createClient } from './client.ts';
import { CLIENT, type FakePix, startFakePix } from './fake-pix.ts';
import { keySettings } from './identity.ts';

type Tuning = Parameters<typeof startCharges>[1];

export interface Replica {
  client: Client;
  url: string;
  stop(): Promise<void>;
}

interface PaymentRow {
  end_to_end_id: string;
  amount_cents: number;
  is_expected: boolean;
  [column: string]: unknown;
}

export interface World {
  /** Of every replica. */
  env: Record<string, string>;
  provider: FakePix;
  gateway: FakeGateway;
  /** The service's own tables. */
  database: Database;
  /** Speaks to the replica that was started along with the world. */
  client: Client;
  first: Replica;
  /** One more replica on the same database. */
  startReplica(tuning?: Tuning, settings?: Record<string, string>): Promise<Replica>;
  /** What was announced of a charge, in order. */
  eventsOf(chargeId: string): Promise<DomainEvent[]>;
  paymentsOf(chargeId: string): Promise<PaymentRow[]>;
  /** Puts the end of a charge's time behind us, so that the clock looks at it next. */
  letTimeRunOut(...chargeIds: string[]): Promise<void>;
  stop(): Promise<void>;
}

interface WorldOptions {
  tuning?: Tuning;
  /** Null takes a setting away. */
  settings?: Record<string, string | null>;
}

/** Quick where only patience is tuned away, and patient with a slow machine. */
const TUNING: Tuning = { scheduleEveryMs: 20, providerTimeoutMs: 5_000 };

const ALL_EVENTS = `SELECT body FROM outbox WHERE body::jsonb ->> 'aggregateId' = $1 ORDER BY position`;
const PAYMENTS = `
  SELECT end_to_end_id, amount_cents, true AS is_expected, created_at FROM payments WHERE charge_id = $1
  UNION ALL
  SELECT end_to_end_id, amount_cents, false, created_at FROM unexpected_payments WHERE charge_id = $1
  ORDER BY created_at, is_expected DESC`;
const RUN_OUT = `
  UPDATE charges SET expires_at = now() - interval '1 s', next_check_at = now() - interval '1 s'
  WHERE id = ANY ($1::uuid[])`;

/** A charges service on a database and virtual host of its own, between a gateway and a provider of ours. */
export async function startWorld({ tuning, settings = {} }: WorldOptions = {}): Promise<World> {
  const provider = await startFakePix();
  const gateway = await startFakeGateway();
  const home = await createTestDatabase();
  const all = {
    ...settingsFor({ provider, gateway, home, amqpUrl: await claimVhost() }),
    ...settings,
  };
  const env = Object.fromEntries(
    Object.entries(all).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
  );
  const replicas: Replica[] = [];

  async function startReplica(of?: Tuning, own: Record<string, string> = {}): Promise<Replica> {
    const service = await startCharges({ ...env, ...own }, { ...TUNING, ...tuning, ...of });
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= service.stop();
      return stopped;
    };
    const replica = { client: createClient(service.url), url: service.url, stop };
    replicas.push(replica);
    return replica;
  }
  const first = await startReplica();
  const log = createLog({ service: 'test', level: 'silent' });
  const database = openDatabase({ url: home.url, poolSize: 4, log });

  return {
    env,
    provider,
    gateway,
    database,
    client: first.client,
    first,
    startReplica,
    async eventsOf(chargeId) {
      const rows = await database.query<{ body: string }>(ALL_EVENTS, [chargeId]);
      return rows.map(({ body }) => readEvent(Buffer.from(body)));
    },
    paymentsOf: (chargeId) => database.query<PaymentRow>(PAYMENTS, [chargeId]),
    async letTimeRunOut(...chargeIds) {
      await database.query(RUN_OUT, [chargeIds]);
    },
    async stop() {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await Promise.all([provider.stop(), gateway.stop(), database.close()]);
      await home.drop();
      if (provider.breaches.length > 0) throw new Error(`not API Pix:\n${provider.breaches.join('\n')}`);
    },
  };
}

interface Surroundings {
  provider: FakePix;
  gateway: FakeGateway;
  home: TestDatabase;
  amqpUrl: string;
}

function settingsFor({ provider, gateway, home, amqpUrl }: Surroundings): Record<string, string> {
  return {
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'silent',
    ...home.env,
    MIGRATE_ON_START: 'true',
    AMQP_URL: amqpUrl,
    ...keySettings,
    GATEWAY_INTERNAL_URL: gateway.url,
    LEDGER_URL: gateway.url,
    PIX_CALLBACK_SECRET: CALLBACK_SECRET,
    ...accountAt(provider, 'PIX_SANDBOX'),
    ...accountAt(provider, 'PIX_PRODUCTION'),
    SANDBOX_CONTROL_URL: provider.url,
  };
}

function accountAt(provider: FakePix, prefix: string): Record<string, string> {
  return {
    [`${prefix}_URL`]: provider.url,
    [`${prefix}_CLIENT_ID`]: CLIENT.id,
    [`${prefix}_CLIENT_SECRET`]: CLIENT.secret,
    [`${prefix}_KEY`]: 'recebedor@plataforma.test',
  };
}
