import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSigner, createVerifier, IDENTITY_HEADER, trustedKeys } from '@plataforma/http';
import { newKeyPair, type OperatorLogin } from '@plataforma/testing';
import { startGateway } from '../src/service.ts';
import { send, sendLogIn } from './support/send.ts';
import { type Merchant, OPERATOR, sharedWorld, type World } from './support/world.ts';

type Gateway = Awaited<ReturnType<typeof startGateway>>;

const next = newKeyPair();
const nextOfCharges = newKeyPair();

const operator: OperatorLogin = { ...OPERATOR };

let world: World;
let merchant: Merchant;
/** Three replicas, each with the keys of one step of the key change. */
let replicas: { prepared: Gateway; changed: Gateway; done: Gateway };

beforeAll(async () => {
  world = await sharedWorld();
  merchant = await world.newMerchant();
  const old = world.gatewayKeys;
  const both = {
    gateway: [old.publicKey, next.publicKey],
    charges: [world.chargesKeys.publicKey, nextOfCharges.publicKey],
  };
  const [prepared, changed, done] = await Promise.all([
    replicaWith({ key: old.privateKey, trusted: both }),
    replicaWith({ key: next.privateKey, trusted: both }),
    replicaWith({ key: next.privateKey, trusted: { charges: nextOfCharges.publicKey } }),
  ]);
  replicas = { prepared, changed, done };
});
afterAll(async () => {
  await Promise.all(Object.values(replicas).map((each) => each.stop()));
  await world.stop();
});

function replicaWith({ key, trusted }: { key: string; trusted: Record<string, string | string[]> }) {
  const settings = { SERVICE_KEY: key, TRUSTED_KEYS: JSON.stringify(trusted) };
  return startGateway({ ...world.env, ...settings, MIGRATE_ON_START: 'false' });
}

const get = async ({ url }: Gateway, path: string, headers: Record<string, string>) => {
  const { status, code } = await send(`${url}${path}`, { headers });
  return `${status} ${code}`;
};

async function tokenOf(
  { url }: Gateway,
  path: string,
  body: OperatorLogin,
): Promise<{ authorization: string }> {
  const post = (sent: object) => send(`${url}${path}`, { method: 'POST', body: sent });
  const { json } = await (path.includes('/admin/') ? sendLogIn(post, body) : post(body));
  expect(json.data).toEqual(expect.objectContaining({ accessToken: expect.any(String) }));
  return { authorization: `Bearer ${Object(json.data).accessToken}` };
}

describe('a change of the gateway’s signing key', () => {
  test.each<[string, string, string, () => OperatorLogin]>([
    ['a merchant’s token', '/v1/auth/login', '/v1/account', () => merchant],
    ['an operator’s token', '/v1/admin/auth/login', '/v1/admin/merchants', () => operator],
  ])('lets every replica accept %s of either key', async (_what, login, path, whose) => {
    for (const giver of [replicas.prepared, replicas.changed]) {
      const headers = await tokenOf(giver, login, whose());
      for (const reader of [replicas.prepared, replicas.changed]) {
        expect(await get(reader, path, headers)).toBe('200 ');
      }
    }
  });

  test('makes tokens of the removed key INVALID_TOKEN', async () => {
    const { email, password } = merchant;
    const old = await tokenOf(replicas.prepared, '/v1/auth/login', { email, password });
    const fresh = await tokenOf(replicas.changed, '/v1/auth/login', { email, password });

    expect(await get(replicas.done, '/v1/account', old)).toBe('401 INVALID_TOKEN');
    expect(await get(replicas.done, '/v1/account', fresh)).toBe('200 ');
  });

  test('leaves tokens of an unrelated key INVALID_TOKEN', async () => {
    const stranger = await replicaWith({ key: newKeyPair().privateKey, trusted: {} });
    const { email, password } = merchant;

    const headers = await tokenOf(stranger, '/v1/auth/login', { email, password });
    const answers = [await get(replicas.prepared, '/v1/account', headers)];
    await stranger.stop();

    expect(answers).toEqual(['401 INVALID_TOKEN']);
  });

  test('lets an earlier session use its refresh token', async () => {
    const { refreshToken } = merchant;

    const { status } = await send(`${replicas.done.url}/v1/auth/refresh`, {
      method: 'POST',
      body: { refreshToken },
    });

    expect(status).toBe(200);
  });

  test('lets services with both keys trust requests of either replica', async () => {
    const keys = { gateway: [world.gatewayKeys.publicKey, next.publicKey] };
    const verifier = createVerifier('charges', trustedKeys.parse(JSON.stringify(keys)));
    const { key } = await world.newKey(merchant);

    for (const replica of [replicas.prepared, replicas.changed]) {
      await send(`${replica.url}/v1/charges`, { headers: { 'x-api-key': key } });
      const token = world.services.charges.last().headers[IDENTITY_HEADER];
      expect(verifier.verify(String(token)).identity).toMatchObject({ merchantId: merchant.id });
    }
  });
});

describe('a change of a service’s signing key', () => {
  const ask = ({ internalUrl }: Gateway, key: string) =>
    get({ ...replicas.done, url: internalUrl }, `/internal/merchants/${merchant.id}`, {
      [IDENTITY_HEADER]: createSigner('charges', key).sign({ kind: 'service' }, 'gateway'),
    });

  test('lets the service call with either key', async () => {
    expect(await ask(replicas.changed, world.chargesKeys.privateKey)).toBe('200 ');
    expect(await ask(replicas.changed, nextOfCharges.privateKey)).toBe('200 ');
  });

  test('makes calls with the removed key UNAUTHORIZED', async () => {
    expect(await ask(replicas.done, world.chargesKeys.privateKey)).toBe('401 UNAUTHORIZED');
    expect(await ask(replicas.done, nextOfCharges.privateKey)).toBe('200 ');
  });
});
