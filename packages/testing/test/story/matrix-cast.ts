import { randomUUID } from 'node:crypto';
import { endpoints, scopes } from '@plataforma/contracts';
import { signToken, tokenSigningKey } from '@plataforma/http';
import { recallSecrets } from '@plataforma/local';
import { z } from 'zod';
import { eventually, evidenceForm, operatorToken } from '../../src/index.ts';
import { changeRows } from '../../src/world/index.ts';
import { anOrder, type Client, clientOf, openAccount } from './client.ts';
import type { Cast } from './world.ts';

type Caller = Record<string, string>;

export interface Matrix {
  world: Cast;
  callers: Record<string, Caller>;
  /** The ids of the objects in the sandbox of the owner (the demo merchant), per kind of object. */
  things: Record<string, string>;
  /** The ids in `things`, and all ids in the owner's lists. No other merchant may read them. */
  owned: readonly string[];
  owner: Client;
}

const PASSWORD = 'uma senha comprida';
const key = (text: unknown): Caller => ({ 'x-api-key': String(text) });
const token = (text: unknown, more: Caller = {}): Caller => ({ authorization: `Bearer ${text}`, ...more });

/** Creates the objects of the demo merchant, and the callers that must not read these objects. */
export async function createMatrix(world: Cast): Promise<Matrix> {
  const { demo, operator } = world.platform.facts;
  const anyone = clientOf(world.platform.facts.baseUrl);
  const owner = await logIn(anyone, demo);
  const things = await thingsOf(world, owner.bearer);
  const owned = [...Object.values(things), ...(await idsListedFor(world.merchant))];
  const admin = await operatorToken(world.platform.facts.baseUrl, operator);
  const callers = {
    nobody: {},
    'a malformed key': key('sk_sandbox_made_up'),
    'a malformed token': token('made.up.token'),
    owner: (await mint(owner.bearer)).key,
    'owner in production': (await mint(owner.bearer, { environment: 'production' })).key,
    'owner’s token in production': token(owner.accessToken, { 'x-environment': 'production' }),
    admin: token(admin),
    'an expired token': token(await expired(world, owner.accessToken)),
    'an operator’s expired token': token(await expired(world, admin)),
    ...(await keysThatEnded(world, owner.bearer)),
    ...(await otherMerchants(world, anyone)),
    ...(await otherOperators(world)),
    'an ended session': await endedSession(anyone, demo),
  };
  return { world, callers, things, owned, owner: world.merchant };
}

async function idsListedFor(merchant: Client): Promise<string[]> {
  const lists = endpoints.filter(({ access, paged }) => paged && access.kind === 'merchant');
  const answers = await Promise.all(lists.map(({ path }) => merchant.get(path)));
  return answers.flatMap(({ list }) => list.map(({ id }) => z.uuid().parse(id)));
}

const payload = z.looseObject({ iss: z.string(), aud: z.string(), iat: z.int(), exp: z.int() });

/** Returns a token with the claims of the given token, but with an expiry time in the past. */
async function expired({ dataDir }: Cast, given: unknown): Promise<string> {
  const [, part = ''] = String(given).split('.');
  const {
    iss,
    aud,
    iat: _iat,
    exp: _exp,
    ...claims
  } = payload.parse(JSON.parse(`${Buffer.from(part, 'base64url')}`));
  const { keys } = await recallSecrets(dataDir);
  const key = tokenSigningKey(keys.gateway.privateKey);
  return signToken(claims, key, { issuer: iss, audience: aud, expiresIn: -1 });
}

async function logIn(anyone: Client, { email, password }: { email: string; password: string }) {
  const { data } = await anyone.post('/v1/auth/login', { email, password });
  return { accessToken: data.accessToken, bearer: anyone.as({ bearer: String(data.accessToken) }) };
}

async function endedSession(anyone: Client, account: { email: string; password: string }): Promise<Caller> {
  const { accessToken, bearer } = await logIn(anyone, account);
  await bearer.post('/v1/auth/logout');
  return token(accessToken);
}

/** Creates an object of each kind. An object that another object needs is created first. */
async function thingsOf({ merchant, operator, shop }: Cast, session: Client): Promise<Matrix['things']> {
  const webhook = await merchant.post('/v1/webhook-config', { url: `${shop.url}/hooks` });
  const [charge, disputed, refunded] = await Promise.all([1, 2, 3].map(() => aPaidCharge(merchant)));
  const contested = { chargeId: disputed, reason: 'FRAUD', description: 'não reconhece' };
  const dispute = await operator.post('/v1/admin/disputes', contested);
  const file = await merchant.post('/v1/files', evidenceForm(String(dispute.data.id)));
  const destination = await merchant.post('/v1/destinations', {
    type: 'PIX',
    pixKey: 'caixa@loja.test',
    pixKeyType: 'EMAIL',
  });
  const payout = { amount: 1_000, pixKey: randomUUID(), pixKeyType: 'EVP' };
  const withdrawal = await eventually(async () => {
    const created = await merchant.post('/v1/withdrawals', payout);
    if (created.status !== 201) throw new Error('the books do not have the charge yet');
    return created;
  });
  await eventually(async () => {
    const refund = await merchant.post(`/v1/charges/${refunded}/refund`, { amount: 100 });
    if (refund.status >= 300) throw new Error('the charge is not refunded yet');
  });
  const [refund] = (await merchant.get('/v1/refunds')).list;
  const first = (path: string) =>
    eventually(async () => {
      const [newest] = (await merchant.get(path)).list;
      if (!newest) throw new Error(`nothing in ${path} yet`);
      return newest.id;
    });
  const fault = { configId: webhook.data.id, kind: 'duplicate', count: 100 };
  const webhookFault = await merchant.post('/v1/sandbox/webhook-faults', fault);
  const link = await merchant.post('/v1/payment-links', { description: 'Pedido', amount: 2_500 });
  const apiKey = (await session.get('/v1/api-keys')).list[0]?.id;
  const delivery = await first('/v1/webhook-deliveries');
  const event = await first('/v1/events');
  const ids = {
    webhook: webhook.data.id,
    webhookFault: webhookFault.data.id,
    charge,
    paymentLink: link.data.id,
    dispute: dispute.data.id,
    refund: refund?.id,
    file: file.data.id,
    destination: destination.data.id,
    withdrawal: withdrawal.data.id,
    apiKey,
    delivery,
    event,
  };
  return Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, String(id)]));
}

async function aPaidCharge(merchant: Client): Promise<unknown> {
  const { data } = await merchant.post('/v1/charges', anOrder({ amount: 10_000 }));
  await merchant.post(`/v1/charges/${data.id}/simulate-payment`);
  return data.id;
}

async function mint(session: Client, changes: object = {}) {
  const { data } = await session.post('/v1/api-keys', {
    name: 'k',
    environment: 'sandbox',
    scopes,
    ...changes,
  });
  return { id: String(data.id), key: key(data.key) };
}

async function keysThatEnded({ platform }: Cast, session: Client): Promise<Record<string, Caller>> {
  const [revoked, expired, bound] = await Promise.all([
    mint(session),
    mint(session),
    mint(session, { allowedIps: ['203.0.113.7'] }),
  ]);
  await session.delete(`/v1/api-keys/${revoked.id}`);
  const ended = "UPDATE api_keys SET expires_at = now() - interval '1 hour' WHERE id = $1";
  await changeRows(platform, 'gateway', { sql: ended, values: [expired.id] });
  return { 'a revoked key': revoked.key, 'an expired key': expired.key, 'a key from elsewhere': bound.key };
}

async function otherMerchants({ operator }: Cast, anyone: Client): Promise<Record<string, Caller>> {
  async function merchantAfter(...steps: string[]) {
    const opened = await openAccount(anyone);
    const { data: account } = await opened.session.get('/v1/account');
    for (const step of steps) {
      await operator.post(`/v1/admin/merchants/${account.id}/${step}`, { reason: 'para a matriz' });
    }
    return { ...opened, key: key(opened.key) };
  }

  const [other, pending, suspended, rejected] = await Promise.all([
    merchantAfter('approve'),
    merchantAfter(),
    merchantAfter('approve', 'suspend'),
    merchantAfter('reject'),
  ]);
  const ofScope = await Promise.all(
    scopes.map(async (scope) => {
      const minted = await mint(other.session, { scopes: [scope] });
      return [`another merchant’s key for ${scope}`, minted.key] as const;
    }),
  );
  return {
    'another merchant': other.key,
    'another merchant’s token': token(other.accessToken),
    'a pending merchant': pending.key,
    'a pending merchant’s token': token(pending.accessToken),
    'a pending merchant in production': token(pending.accessToken, { 'x-environment': 'production' }),
    'a suspended merchant': suspended.key,
    'a suspended merchant’s token': token(suspended.accessToken),
    'a rejected merchant': rejected.key,
    'a rejected merchant’s token': token(rejected.accessToken),
    'a rejected merchant in production': token(rejected.accessToken, { 'x-environment': 'production' }),
    ...Object.fromEntries(ofScope),
  };
}

async function otherOperators({ operator, platform }: Cast): Promise<Record<string, Caller>> {
  async function anOperator(role: string, changes?: object): Promise<Caller> {
    const login = { email: `${role}-${randomUUID()}@plataforma.test`.toLowerCase(), password: PASSWORD };
    const { data } = await operator.post('/v1/admin/operators', { ...login, role });
    const accessToken = await operatorToken(platform.facts.baseUrl, login);
    if (changes) await operator.patch(`/v1/admin/operators/${data.id}`, changes);
    return token(accessToken);
  }
  return {
    ADMIN: await anOperator('ADMIN'),
    FINANCE: await anOperator('FINANCE'),
    SUPPORT: await anOperator('SUPPORT'),
    'a deactivated operator': await anOperator('ADMIN', { isActive: false }),
  };
}
