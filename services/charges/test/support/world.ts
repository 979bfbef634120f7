import type { OperatorRole } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { type FakeGateway, startFakeGateway, TICK_MS } from '@plataforma/testing';
import {
  createStopControls,
  type ServiceWorld,
  type StopControls,
  shareWorld,
  startServiceWorld,
} from '@plataforma/testing/world';
import { migrations } from '../../migrations/index.ts';
import { sealedRows } from '../../src/sealed-rows.ts';
import { startCharges } from '../../src/service.ts';
import { type Answered, CALLBACK_SECRET, type Client, createClient } from './client.ts';
import { CLIENT, type FakePix, startFakePix } from './fake-pix.ts';
import { keySettings, merchantHeader, operatorHeader } from './identity.ts';

type Tuning = NonNullable<Parameters<typeof startCharges>[1]>;

export interface Replica {
  client: Client;
  url: string;
  stop(): Promise<void>;
}

export interface Operator {
  role: OperatorRole;
  operatorId: string;
}

interface Attempt {
  id: string;
  txid: string;
  status: string;
  acquirer_id: string | null;
  decline_reason: string | null;
  is_voiding: boolean;
  is_watched: boolean;
  [column: string]: unknown;
}

interface PaymentRow {
  end_to_end_id: string;
  amount_cents: number;
  is_expected: boolean;
  [column: string]: unknown;
}

export interface World extends ServiceWorld<Replica, Tuning> {
  provider: FakePix;
  gateway: FakeGateway;
  /** A client of the replica that started together with the test environment. */
  client: Client;
  /** The calls with which operators stop refunds, returns and new charges. */
  stopControls: StopControls;
  /** Calls any route as a merchant. */
  call(tenant: Tenant, line: string, body?: unknown): Promise<Answered>;
  /** Calls a route under /v1/admin as an operator. */
  operate(line: string, body?: unknown, operator?: Operator): Promise<Answered>;
  /** Lists all attempts with this externalId, with any outcome. */
  attemptsOf(externalId: unknown): Promise<Attempt[]>;
  paymentsOf(chargeId: string): Promise<PaymentRow[]>;
  /** Moves the expiry of these charges into the past, so that the scheduler checks them next. */
  letTimeRunOut(...chargeIds: string[]): Promise<void>;
}

export interface WorldOptions {
  isShared?: boolean;
  tuning?: Tuning;
  /** Settings that differ from the default; null removes a setting. */
  settings?: Record<string, string | null>;
  /** Additional fakes, which stop together with the test environment. */
  fakes?: Parameters<typeof startServiceWorld>[0]['fakes'];
}

/** Short intervals, and timeouts that are long enough for a slow machine. */
const TUNING: Tuning = { scheduleEveryMs: TICK_MS, providerTimeoutMs: 5_000 };

const PAYMENTS = `
  SELECT end_to_end_id, amount_cents, true AS is_expected, created_at FROM payments WHERE charge_id = $1
  UNION ALL
  SELECT end_to_end_id, amount_cents, false, created_at FROM unexpected_payments WHERE charge_id = $1
  ORDER BY created_at, is_expected DESC`;
const ATTEMPTS = `
  SELECT id, txid, status, acquirer_id, decline_reason, is_voiding, is_watched FROM charges
  WHERE external_id = $1
  ORDER BY created_at`;
const RUN_OUT = `
  UPDATE charges
  SET expires_at = now() - interval '1 s', next_check_at = now() - interval '1 s',
  lease_until = now() - interval '1 s'
  WHERE id = ANY ($1::uuid[])`;

export const sharedWorld = () =>
  shareWorld({ name: 'charges', start: () => startWorld({ isShared: true }), reset: resetFakes });

export async function resetFakes({ provider, gateway }: World): Promise<void> {
  provider.clear();
  gateway.employ();
}

/** Starts a charges service with a fake gateway and a fake Pix provider. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { tuning, settings, fakes, ...infrastructure } = options;
  const [provider, gateway] = await Promise.all([startFakePix(), startFakeGateway()]);
  const world = await startServiceWorld({
    start: async (env, tuned: Tuning): Promise<Replica> => {
      const service = await startCharges(env, tuned);
      return { ...service, client: createClient(service.url) };
    },
    tuning: { ...TUNING, ...tuning },
    migrations,
    sealed: sealedRows,
    fakes: { provider, gateway, ...fakes },
    ...infrastructure,
    settings: { ...settingsFor(provider, gateway), ...settings },
  });
  const { client } = world.first;
  return {
    ...world,
    provider,
    gateway,
    client,
    call: (tenant, path, body) => send(client, path, { headers: merchantHeader(tenant), body }),
    operate: (line, body, operator = newOperator()) =>
      send(client, `/v1/admin${line}`, { headers: operatorHeader(operator), body }),
    stopControls: createStopControls({ send: client.send, operatorHeader, gateway }),
    attemptsOf: (externalId) => world.database.query<Attempt>(ATTEMPTS, [externalId]),
    paymentsOf: (chargeId) => world.database.query<PaymentRow>(PAYMENTS, [chargeId]),
    async letTimeRunOut(...chargeIds) {
      await world.database.query(RUN_OUT, [chargeIds]);
    },
  };
}

export function newOperator(role: OperatorRole = 'FINANCE'): Operator {
  return { role, operatorId: newId() };
}

/** Sends a POST if a body is given, and otherwise a GET. */
export function send(
  client: Client,
  path: string,
  { headers, body }: { headers: Record<string, string>; body: unknown },
): Promise<Answered> {
  return client.send(path, { method: body === undefined ? 'GET' : 'POST', headers, body });
}

function settingsFor(provider: FakePix, gateway: FakeGateway): Record<string, string> {
  return {
    ...keySettings,
    GATEWAY_INTERNAL_URL: gateway.url,
    LEDGER_URL: gateway.url,
    PIX_CALLBACK_SECRET: CALLBACK_SECRET,
    ...accountAt(provider, 'PIX_SANDBOX'),
    ...accountAt(provider, 'PIX_PRODUCTION'),
    SANDBOX_CONTROL_URL: provider.url,
    SEALING_KEYS: `test:${Buffer.alloc(32, 5).toString('base64')}`,
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
