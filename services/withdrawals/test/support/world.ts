import type { MerchantSnapshot } from '@plataforma/events';
import type { Tenant } from '@plataforma/kernel';
import { blocking, type FakeGateway, startFakeGateway, TICK_MS } from '@plataforma/testing';
import {
  createStopControls,
  type FakeLedger,
  type ServiceWorld,
  type StopControls,
  shareWorld,
  startFakeLedger,
  startServiceWorld,
  type WithdrawalDebit,
  withdrawalRoute,
} from '@plataforma/testing/world';
import { migrations } from '../../migrations/index.ts';
import { sealedRows } from '../../src/sealed-rows.ts';
import { startWithdrawals } from '../../src/service.ts';
import { type Answered, CALLBACK_SECRET, type Call, type Client, createClient, newOrder } from './client.ts';
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
  client: Client;
  call: Call;
  newMerchant(traits?: Partial<MerchantSnapshot>, environment?: Tenant['environment']): Tenant;
  stopControls: StopControls;
  rowsOf(merchant: Pick<Tenant, 'merchantId'>): Promise<{ id: string; status: string }[]>;
  takenOf(merchant: Pick<Tenant, 'merchantId'>): string[];
  rowOf(id: string): Promise<Record<string, unknown> | undefined>;
  makeDue(id: string): Promise<void>;
  /** Ends a withdrawal's cool-down and makes it due for the scheduler. */
  makePayable(id: string): Promise<void>;
  /** Requests a withdrawal. The fake ledger answers the debit only after `release` is called. */
  createBlocked(tenant: Tenant, order?: Record<string, unknown>, key?: string): Promise<BlockedCreation>;
  setMerchantStatus(merchant: Pick<Tenant, 'merchantId'>, status: MerchantSnapshot['status']): Promise<void>;
  /** Changes the service's copy of a merchant that has already sent a request. */
  changeMerchant(merchant: Pick<Tenant, 'merchantId'>, changes: Partial<MerchantSnapshot>): Promise<void>;
}

interface BlockedCreation {
  creating: Promise<Answered>;
  release(): void;
}

interface WorldOptions {
  isShared?: boolean;
  tuning?: Tuning;
  brokerUrl?: string;
  /** Changes to the service's environment variables. Null removes a variable. */
  settings?: Record<string, string | null>;
}

/** The scheduler's interval is short, and the provider's timeout is long enough for slow machines. */
const TUNING: Tuning = { scheduleEveryMs: TICK_MS, providerTimeoutMs: 5_000 };

const ROWS = 'SELECT id, status FROM withdrawals WHERE merchant_id = $1 ORDER BY id';
const ROW = 'SELECT * FROM withdrawals WHERE id = $1';
const MAKE_PAYABLE = 'UPDATE withdrawals SET payable_from = now(), next_check_at = now() WHERE id = $1';
const CHANGE_MERCHANT = 'UPDATE merchants SET snapshot = snapshot || $2::jsonb WHERE id = $1';
const MAKE_DUE = `UPDATE withdrawals SET next_check_at = now() - interval '1 s' WHERE id = $1`;

/** Returns a shared withdrawals service for test files that do not need their own. */
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

/** Starts the withdrawals service with fakes of the gateway, the ledger, the bank and the charges service. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { tuning, settings, ...infrastructure } = options;
  const [bank, ledger, gateway, charges] = await Promise.all([
    startFakeBank(),
    startFakeLedger({ route: withdrawalRoute, keys: ownKeys }),
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
    sealed: sealedRows,
    fakes,
    ...infrastructure,
    settings: { ...settingsFor(fakes), ...settings },
  });
  const { database, first } = world;
  const changeMerchant: World['changeMerchant'] = async ({ merchantId }, changes) =>
    void (await database.query(CHANGE_MERCHANT, [merchantId, changes]));

  return {
    ...world,
    client: first.client,
    call: first.client.call,
    stopControls: createStopControls({ send: first.client.send, operatorHeader, gateway }),
    newMerchant(traits = {}, environment = 'sandbox') {
      const tenant = newTenant(environment);
      gateway.describe(tenant.merchantId, traits);
      return tenant;
    },
    rowsOf: ({ merchantId }) => database.query<{ id: string; status: string }>(ROWS, [merchantId]),
    takenOf: ({ merchantId }) =>
      ledger.taken.filter((debit) => debit.merchantId === merchantId).map(({ id }) => id),
    rowOf: async (id) => (await database.query(ROW, [id]))[0],
    makeDue: async (id) => void (await database.query(MAKE_DUE, [id])),
    makePayable: async (id) => void (await database.query(MAKE_PAYABLE, [id])),
    async createBlocked(tenant, order = newOrder(), key) {
      const { behaviour, arrived, release } = blocking();
      ledger.nextFor(tenant.merchantId, behaviour);
      const creating = first.client.create(tenant, order, key);
      await arrived;
      return { creating, release };
    },
    setMerchantStatus: (merchant, status) => changeMerchant(merchant, { status }),
    changeMerchant,
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

export function withoutProvider(environment: 'SANDBOX' | 'PRODUCTION'): Record<string, null> {
  const names = ['URL', 'CLIENT_ID', 'CLIENT_SECRET', 'KEY'];
  return Object.fromEntries(names.map((name) => [`PAYOUT_${environment}_${name}`, null]));
}

function accountAt({ url }: FakeBank, prefix: string): Record<string, string> {
  return {
    [`${prefix}_URL`]: url,
    [`${prefix}_CLIENT_ID`]: CLIENT.id,
    [`${prefix}_CLIENT_SECRET`]: CLIENT.secret,
    [`${prefix}_KEY`]: CLIENT.key,
  };
}
