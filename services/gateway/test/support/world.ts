import { randomBytes } from 'node:crypto';
import { api } from '@plataforma/contracts';
import { createSigner, createVerifier, trustedKeys, type Verifier } from '@plataforma/http';
import { newId } from '@plataforma/kernel';
import { type OperatorLogin, operatorToken } from '@plataforma/testing';
import { newCnpj } from '@plataforma/testing/fixtures';
import {
  isLeftUndone,
  keysOfWorker,
  NO_BROKER,
  repeatWhileUndone,
  type ServiceWorld,
  shareWorld,
  startServiceWorld,
} from '@plataforma/testing/world';
import type { z } from 'zod';
import { migrations } from '../../migrations/index.ts';
import { sealedRows } from '../../src/sealed-rows.ts';
import { startGateway } from '../../src/service.ts';
import { type FakeService, startFakeService } from './fake-service.ts';
import { type Answered, type Sending, send, sendLogIn } from './send.ts';

export const OPERATOR = { email: 'operator@plataforma.test', password: 'the operator’s password' };

const gatewayKeys = keysOfWorker('gateway');
const chargesKeys = keysOfWorker('charges for gateway');
const withdrawalsKeys = keysOfWorker('withdrawals for gateway');
const names = ['charges', 'withdrawals', 'ledger', 'webhooks'] as const;

export interface Merchant {
  id: string;
  email: string;
  password: string;
  accessToken: string;
  refreshToken: string;
  bearer: { authorization: string };
}

type NewKey = z.infer<typeof api.createApiKey.data>;

type Gateway = Awaited<ReturnType<typeof startGateway>>;
type Tuning = NonNullable<Parameters<typeof startGateway>[1]>;

export interface World extends ServiceWorld<Gateway, Tuning> {
  /** The first replica, which starts with the test environment. */
  gateway: Gateway;
  services: Record<(typeof names)[number], FakeService>;
  gatewayKeys: typeof gatewayKeys;
  chargesKeys: typeof chargesKeys;
  call(path: string, sending?: Sending): Promise<Answered>;
  post(path: string, body: unknown, headers?: Sending['headers']): Promise<Answered>;
  register(changes?: Record<string, unknown>): Promise<Answered>;
  newMerchant(changes?: Record<string, unknown>): Promise<Merchant>;
  approvedMerchant(): Promise<Merchant>;
  /** Returns the headers of the first operator. Logs in at most once in four minutes. */
  operator(): Promise<{ authorization: string }>;
  /** Logs the first operator in with the second factor. */
  logInOperator(sending?: { headers?: Sending['headers']; url?: string }): Promise<Answered>;
  newKey(merchant: Merchant, body?: Record<string, unknown>): Promise<NewKey>;
}

/** Returns the body of a registration with a new e-mail address and a new CNPJ. */
export function registration() {
  const email = `dono-${newId()}@loja.example`;
  return {
    email,
    password: 'senha segura',
    companyName: 'Loja do Zé',
    cnpj: newCnpj(),
    phone: '11987654321',
  };
}

interface WorldOptions {
  /**
   * The URL of a broker. Without it the gateway runs without a broker, because requests to the gateway need
   * none.
   */
  brokerUrl?: string;
  settings?: Record<string, string>;
  tuning?: Tuning;
}

/** These tests hash hundreds of passwords, so the hashes are cheap. Another test covers the real cost. */
const TUNING: Tuning = { passwordCost: { memoryCost: 1024, timeCost: 1 } };

/** Returns the gateway that test files share, except files that need a different one. */
export const sharedWorld = () =>
  shareWorld({
    name: 'gateway',
    start: startWorld,
    reset: ({ services }) => Promise.all(names.map((name) => services[name].reset())),
  });

/** Starts a gateway with fake services, which record their requests. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const [charges, withdrawals, ledger, webhooks] = await Promise.all([
    startFakeService(),
    startFakeService(),
    startFakeService(),
    startFakeService(),
  ]);
  const services = { charges, withdrawals, ledger, webhooks };
  const world = await startServiceWorld({
    start: startGateway,
    tuning: { ...TUNING, ...options.tuning },
    migrations,
    sealed: sealedRows,
    fakes: services,
    brokerUrl: options.brokerUrl ?? NO_BROKER,
    settings: { ...settingsFor(services), ...options.settings },
  });
  const { database, first: gateway } = world;
  const login: OperatorLogin = { ...OPERATOR };
  const call = (path: string, sending?: Sending) => send(`${gateway.url}${path}`, sending);
  const post: World['post'] = (path, body, headers = {}) => call(path, { method: 'POST', body, headers });
  const postRepeated: World['post'] = (...request) =>
    repeatWhileUndone(
      () => post(...request),
      ({ status, json: { error }, headers }) =>
        isLeftUndone({ status, error, retryAfter: headers['retry-after'] }, 'POST'),
    );

  async function newMerchant(changes: Record<string, unknown> = {}): Promise<Merchant> {
    const account = { ...registration(), ...changes };
    const registered = await postRepeated('/v1/auth/register', account);
    const tokens = api.register.data.parse(registered.json.data);
    const bearer = { authorization: `Bearer ${tokens.accessToken}` };
    const [row] = await database.query<{ id: string }>(
      'SELECT organization_id AS id FROM users WHERE email = $1',
      [account.email],
    );
    if (!row) throw new Error('the registration has left no organization');
    const { id } = row;
    return { id, email: account.email, password: account.password, ...tokens, bearer };
  }

  return {
    ...world,
    gateway,
    services,
    gatewayKeys,
    chargesKeys,
    call,
    post,
    register: (changes = {}) => postRepeated('/v1/auth/register', { ...registration(), ...changes }),
    newMerchant,
    async approvedMerchant() {
      const merchant = await newMerchant();
      await database.query("UPDATE organizations SET status = 'APPROVED' WHERE id = $1", [merchant.id]);
      return merchant;
    },
    operator: async () => ({ authorization: `Bearer ${await operatorToken(gateway.url, login)}` }),
    logInOperator: ({ headers = {}, url = gateway.url } = {}) =>
      sendLogIn((body) => send(`${url}/v1/admin/auth/login`, { method: 'POST', body, headers }), login),
    async newKey(merchant, body = {}) {
      const fields = { name: 'loja', environment: 'sandbox', ...body };
      const { json } = await postRepeated('/v1/api-keys', fields, merchant.bearer);
      return api.createApiKey.data.parse(json.data);
    },
  };
}

function settingsFor(services: World['services']): Record<string, string> {
  return {
    INTERNAL_PORT: '0',
    TRUSTED_KEYS: JSON.stringify({
      charges: chargesKeys.publicKey,
      withdrawals: withdrawalsKeys.publicKey,
    }),
    SERVICE_KEY: gatewayKeys.privateKey,
    SEALING_KEYS: `test:${randomBytes(32).toString('base64')}`,
    ...Object.fromEntries(names.map((name) => [`${name.toUpperCase()}_URL`, services[name].url])),
    OPERATOR_EMAIL: OPERATOR.email,
    OPERATOR_PASSWORD: OPERATOR.password,
    RATE_LIMIT_PER_KEY: '1000000',
    RATE_LIMIT_PER_ADDRESS: '1000000',
    CONNECTIONS_PER_ADDRESS: '1000000',
    LOGIN_LIMIT_PER_ADDRESS: '1000000',
    LOGIN_LIMIT_PER_ACCOUNT: '10000',
  };
}

/** Sets the status of a merchant directly, with the trigger that checks status changes disabled. */
export async function forceStatus({ database }: World, merchantId: string, status: string): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query('ALTER TABLE organizations DISABLE TRIGGER organizations_standing');
    await tx.query('UPDATE organizations SET status = $2 WHERE id = $1', [merchantId, status]);
    await tx.query('ALTER TABLE organizations ENABLE TRIGGER organizations_standing');
  });
}

const keysOf = { gateway: gatewayKeys, charges: chargesKeys, withdrawals: withdrawalsKeys };

export function signerOf(name: keyof typeof keysOf): ReturnType<typeof createSigner> {
  return createSigner(name, keysOf[name].privateKey);
}

export function verifierOf(service: string): Verifier {
  return createVerifier(service, trustedKeys.parse(JSON.stringify({ gateway: gatewayKeys.publicKey })));
}
