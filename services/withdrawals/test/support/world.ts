import { createLog, type Database, openDatabase } from '@plataforma/chassis';
import { type DomainEvent, type MerchantSnapshot, readEvent } from '@plataforma/events';
import type { Tenant } from '@plataforma/kernel';
import {
  claimVhost,
  createTestDatabase,
  type FakeGateway,
  startFakeGateway,
  type TestDatabase,
} from '@plataforma/testing';
import { startWithdrawals } from '../../src/service.ts';
import { CALLBACK_SECRET, type Call, type Client, createClient } from './client.ts';
import { CLIENT, type FakeBank, startFakeBank } from './fake-bank.ts';
import { type FakeLedger, startFakeLedger } from './fake-ledger.ts';
import { newTenant, OWN_KEYS, SERVICE_KEY, TRUSTED_KEYS } from './identity.ts';

type Tuning = Parameters<typeof startWithdrawals>[1];

interface Replica {
  client: Client;
  url: string;
  stop(): Promise<void>;
}

export interface World {
  /** Of every replica. */
  env: Record<string, string>;
  bank: FakeBank;
  ledger: FakeLedger;
  gateway: FakeGateway;
  /** The service's own tables, as their owner sees them. */
  database: Database;
  /** Speaks to the replica that was started along with the world. */
  client: Client;
  /** A merchant's call of that replica. */
  call: Call;
  first: Replica;
  /** One more replica on the same database. */
  startReplica(tuning?: Tuning, settings?: Record<string, string>): Promise<Replica>;
  /** A merchant that differs from others in this. */
  newMerchant(traits?: Partial<MerchantSnapshot>, environment?: Tenant['environment']): Tenant;
  /** What was announced of a withdrawal, in order. */
  eventsOf(id: string): Promise<DomainEvent[]>;
  /** The row, whatever is in it. */
  rowOf(id: string): Promise<Record<string, unknown> | undefined>;
  /** Has the clock look at a withdrawal next. */
  lookNow(id: string): Promise<void>;
  stop(): Promise<void>;
}

interface WorldOptions {
  tuning?: Tuning;
  /** Null takes a setting away. */
  settings?: Record<string, string | null>;
}

/** Quick where only patience is tuned away, and patient with a slow machine. */
const TUNING: Tuning = { scheduleEveryMs: 20, providerTimeoutMs: 5_000 };

const EVENTS = `SELECT body FROM outbox WHERE body::jsonb ->> 'aggregateId' = $1 ORDER BY position`;

/** A withdrawals service on a database and virtual host of its own, between a gateway, a ledger and a bank of ours. */
export async function startWorld({ tuning, settings = {} }: WorldOptions = {}): Promise<World> {
  const [bank, ledger, gateway] = await Promise.all([
    startFakeBank(),
    startFakeLedger(OWN_KEYS),
    startFakeGateway(),
  ]);
  const home = await createTestDatabase();
  const all = { ...settingsFor({ bank, ledger, gateway, home, amqpUrl: await claimVhost() }), ...settings };
  const env = Object.fromEntries(
    Object.entries(all).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
  );
  const replicas: Replica[] = [];

  async function startReplica(of?: Tuning, own: Record<string, string> = {}): Promise<Replica> {
    const service = await startWithdrawals({ ...env, ...own }, { ...TUNING, ...tuning, ...of });
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= service.stop();
      return stopped;
    };
    const replica = { client: createClient(service.url), url: service.url, stop };
    replicas.push(replica);
    return replica;
  }
  const stopSurroundings = async () => {
    await Promise.all([bank.stop(), ledger.stop(), gateway.stop()]);
    await home.drop();
  };
  const first = await startReplica().catch(async (error) => {
    await stopSurroundings();
    throw error;
  });
  const log = createLog({ service: 'test', level: 'silent' });
  const database = openDatabase({ url: home.url, poolSize: 4, log });

  return {
    env,
    bank,
    ledger,
    gateway,
    database,
    client: first.client,
    call: first.client.call,
    first,
    startReplica,
    newMerchant(traits = {}, environment = 'sandbox') {
      const tenant = newTenant(environment);
      gateway.describe(tenant.merchantId, traits);
      return tenant;
    },
    async eventsOf(id) {
      const rows = await database.query<{ body: string }>(EVENTS, [id]);
      return rows.map(({ body }) => readEvent(Buffer.from(body)));
    },
    async rowOf(id) {
      const [row] = await database.query('SELECT * FROM withdrawals WHERE id = $1', [id]);
      return row;
    },
    async lookNow(id) {
      await database.query(`UPDATE withdrawals SET next_check_at = now() - interval '1 s' WHERE id = $1`, [
        id,
      ]);
    },
    async stop() {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await database.close();
      await stopSurroundings();
      const breaches = [...bank.breaches, ...ledger.breaches];
      if (breaches.length > 0) throw new Error(`not what was agreed:\n${breaches.join('\n')}`);
    },
  };
}

interface Surroundings {
  bank: FakeBank;
  ledger: FakeLedger;
  gateway: FakeGateway;
  home: TestDatabase;
  amqpUrl: string;
}

function settingsFor({ bank, ledger, gateway, home, amqpUrl }: Surroundings): Record<string, string> {
  return {
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'silent',
    ...home.env,
    MIGRATE_ON_START: 'true',
    AMQP_URL: amqpUrl,
    SERVICE_KEY,
    TRUSTED_KEYS,
    GATEWAY_INTERNAL_URL: gateway.url,
    LEDGER_URL: ledger.url,
    PAYOUT_CALLBACK_SECRET: CALLBACK_SECRET,
    ...accountAt(bank, 'PAYOUT_SANDBOX'),
    ...accountAt(bank, 'PAYOUT_PRODUCTION'),
  };
}

function accountAt({ url }: FakeBank, prefix: string): Record<string, string> {
  return {
    [`${prefix}_URL`]: url,
    [`${prefix}_CLIENT_ID`]: CLIENT.id,
    [`${prefix}_CLIENT_SECRET`]: CLIENT.secret,
    [`${prefix}_KEY`]: CLIENT.key,
  };
}
