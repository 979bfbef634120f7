import type { MerchantSnapshot } from '@plataforma/events';
import type { Tenant } from '@plataforma/kernel';
import { type FakeGateway, startFakeGateway, TICK_MS } from '@plataforma/testing';
import {
  type FakeLedger,
  type ServiceWorld,
  type StopDesk,
  shareWorld,
  startFakeLedger,
  startServiceWorld,
  stopDesk,
  type WithdrawalDebit,
  withdrawalDoor,
} from '@plataforma/testing/world';
import { migrations } from '../../migrations/index.ts';
import { startWithdrawals } from '../../src/service.ts';
import { CALLBACK_SECRET, type Call, type Client, createClient } from './client.ts';
import { CLIENT, type FakeBank, startFakeBank } from './fake-bank.ts';
import { type FakeCharges, startFakeCharges } from './fake-charges.ts';
import { keySettings, newTenant, operatorHeader, ownKeys } from './identity.ts';

type Tuning = NonNullable<Parameters<typeof startWithdrawals>[1]>;

interface Replica {
  client: Client;
  url: string;
  stop(): Promise<void>;
}

interface Fakes {
  bank: FakeBank;
  ledger: FakeLedger<WithdrawalDebit>;
  gateway: FakeGateway;
  charges: FakeCharges;
}

export interface World extends ServiceWorld<Replica, Tuning>, Fakes {
  /** Speaks to the replica that was started along with the world. */
  client: Client;
  /** A merchant's call of that replica. */
  call: Call;
  /** A merchant that differs from others in this. */
  newMerchant(traits?: Partial<MerchantSnapshot>, environment?: Tenant['environment']): Tenant;
  /** Where operators stop payouts. */
  desk: StopDesk;
  /** The row, whatever is in it. */
  rowOf(id: string): Promise<Record<string, unknown> | undefined>;
  /** Has the clock look at a withdrawal next. */
  makeDue(id: string): Promise<void>;
}

interface WorldOptions {
  isShared?: boolean;
  tuning?: Tuning;
  brokerUrl?: string;
  /** Null takes a setting away. */
  settings?: Record<string, string | null>;
}

/** Quick where only patience is tuned away, and patient with a slow machine. */
const TUNING: Tuning = { scheduleEveryMs: TICK_MS, providerTimeoutMs: 5_000 };

const ROW = 'SELECT * FROM withdrawals WHERE id = $1';
const MAKE_DUE = `UPDATE withdrawals SET next_check_at = now() - interval '1 s' WHERE id = $1`;

/** Returns the withdrawals service of all files that need no own one. */
export const sharedWorld = () =>
  shareWorld({
    name: 'withdrawals',
    start: () => startWorld({ isShared: true }),
    async reset({ bank, ledger, gateway, charges }) {
      bank.reset();
      ledger.reset();
      gateway.employ();
      charges.answers(true);
    },
  });

/** A withdrawals service between a gateway, a ledger and a bank of ours. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { tuning, settings, ...place } = options;
  const [bank, ledger, gateway, charges] = await Promise.all([
    startFakeBank(),
    startFakeLedger({ door: withdrawalDoor, keys: ownKeys }),
    startFakeGateway(),
    startFakeCharges(),
  ]);
  const fakes = { bank, ledger, gateway, charges };
  const world = await startServiceWorld({
    start: async (env, tuned: Tuning): Promise<Replica> => {
      const service = await startWithdrawals(env, tuned);
      return { ...service, client: createClient(service.url) };
    },
    tuning: { ...TUNING, ...tuning },
    migrations,
    fakes,
    ...place,
    settings: { ...settingsFor(fakes), ...settings },
  });
  const { database, first } = world;

  return {
    ...world,
    client: first.client,
    call: first.client.call,
    desk: stopDesk({ send: first.client.send, operatorHeader, gateway }),
    newMerchant(traits = {}, environment = 'sandbox') {
      const tenant = newTenant(environment);
      gateway.describe(tenant.merchantId, traits);
      return tenant;
    },
    rowOf: async (id) => (await database.query(ROW, [id]))[0],
    makeDue: async (id) => void (await database.query(MAKE_DUE, [id])),
  };
}

function settingsFor({ bank, ledger, gateway, charges }: Fakes): Record<string, string> {
  return {
    ...keySettings,
    GATEWAY_INTERNAL_URL: gateway.url,
    LEDGER_URL: ledger.url,
    CHARGES_URL: charges.url,
    PAYOUT_CALLBACK_SECRET: CALLBACK_SECRET,
    SANDBOX_CONTROL_URL: bank.url,
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
