import { createPrivateKey, createPublicKey } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { eventually, newKeyPair } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import jwt from 'jsonwebtoken';
import { sharedWorld, signerOf } from './support/world.ts';

const world = worldOfFile(sharedWorld);

const logIn = (email: string, password: string) => world.post('/v1/auth/login', { email, password });
const account = (accessToken: string) =>
  world.call('/v1/account', { headers: { authorization: `Bearer ${accessToken}` } });

describe('a session', () => {
  test('gets a new access token with the same refresh token', async () => {
    const { id, refreshToken } = await world.newMerchant();

    const { status, json } = await world.post('/v1/auth/refresh', { refreshToken });

    expect([status, Object.keys(json.data ?? {})]).toEqual([200, ['accessToken']]);
    const { accessToken } = api.refresh.data.parse(json.data);
    expect((await account(accessToken)).json.data).toMatchObject({ id });
  });

  test.each(['unknown', 'x'.repeat(43)])('is not refreshed by the refresh token %s', async (refreshToken) => {
    expect(await world.post('/v1/auth/refresh', { refreshToken })).toMatchObject({
      status: 401,
      code: 'INVALID_REFRESH_TOKEN',
    });
  });

  test('is not refreshed after its expiry', async () => {
    const { id, refreshToken } = await world.newMerchant();
    await world.database.query(
      "UPDATE sessions SET expires_at = now() - interval '1 s' WHERE organization_id = $1",
      [id],
    );

    expect(await world.post('/v1/auth/refresh', { refreshToken })).toMatchObject({
      status: 401,
      code: 'INVALID_REFRESH_TOKEN',
    });
  });

  test('ends with the log-out, its access tokens within five seconds', async () => {
    const { bearer, refreshToken, email, password } = await world.newMerchant();
    const other = await logIn(email, password);
    expect((await world.call('/v1/balance', { headers: bearer })).status).toBe(200);

    const { status, json } = await world.call('/v1/auth/logout', { method: 'POST', headers: bearer });

    expect([status, json]).toEqual([200, { success: true, data: { message: expect.any(String) } }]);
    expect((await world.post('/v1/auth/refresh', { refreshToken })).code).toBe('INVALID_REFRESH_TOKEN');
    expect((await world.call('/v1/account', { headers: bearer })).code).toBe('INVALID_TOKEN');
    await eventually(
      async () => {
        const refused = await world.call('/v1/balance', { headers: bearer });
        expect([refused.status, refused.code]).toEqual([401, 'INVALID_TOKEN']);
      },
      { timeoutMs: 5_000 },
    );
    expect((await account(api.logIn.data.parse(other.json.data).accessToken)).status).toBe(200);
  });

  test('ends when it is the oldest of a thousand at a log-in', async () => {
    const oldest = await world.newMerchant();
    const { json } = await logIn(oldest.email, oldest.password);
    const second = api.logIn.data.parse(json.data);
    await world.database.query(
      `INSERT INTO sessions (id, user_id, organization_id, refresh_hash, created_at, expires_at)
       SELECT gen_random_uuid(), id, organization_id, gen_random_uuid(), now(), now() + interval '1 day'
       FROM users, generate_series(1, 998) WHERE email = $1`,
      [oldest.email],
    );
    const before = await world.post('/v1/auth/refresh', { refreshToken: oldest.refreshToken });

    const next = api.logIn.data.parse((await logIn(oldest.email, oldest.password)).json.data);

    const refreshed = [oldest, second, next].map(({ refreshToken }) =>
      world.post('/v1/auth/refresh', { refreshToken }),
    );
    const codes = (await Promise.all(refreshed)).map(({ code }) => code);
    expect([before.status, codes]).toEqual([200, ['INVALID_REFRESH_TOKEN', '', '']]);
  });

  test('does not end without its token', async () => {
    expect(await world.call('/v1/auth/logout', { method: 'POST' })).toMatchObject({
      status: 401,
      code: 'UNAUTHORIZED',
    });
  });
});

const merchant = beforeFile(() => world.newMerchant());

const keyOf = (text: string) =>
  createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const seconds = () => Math.floor(Date.now() / 1000);

function claims(): Record<string, unknown> {
  return { ...jwt.decode(merchant.accessToken, { json: true }) };
}

function signed(changes: Record<string, unknown>, key = world.gatewayKeys.privateKey): string {
  return jwt.sign({ ...claims(), ...changes }, keyOf(key), { algorithm: 'ES256' });
}

async function refusalOf(authorization: string, path = '/v1/account') {
  const { status, code } = await world.call(path, { headers: { authorization } });
  return `${status} ${code}`;
}

describe('an access token', () => {
  test('is signed with ES256 and expires after 15 minutes', () => {
    const decoded = jwt.decode(merchant.accessToken, { complete: true });

    expect(decoded?.header.alg).toBe('ES256');
    const { exp, iat } = claims();
    expect(Number(exp) - Number(iat)).toBe(900);
  });

  test('with a valid signature is accepted', async () => {
    expect(await refusalOf(`Bearer ${signed({})}`)).toBe('200 ');
  });

  test('is TOKEN_EXPIRED after its expiry', async () => {
    expect(await refusalOf(`Bearer ${signed({ exp: seconds() - 1 })}`)).toBe('401 TOKEN_EXPIRED');
  });

  test.each<[string, () => string]>([
    ['of an operator', () => signed({ aud: 'operators' })],
    ['meant for a service', () => signed({ aud: 'charges' })],
    ['of another issuer', () => signed({ iss: 'charges' })],
    ['signed with another key', () => signed({}, newKeyPair().privateKey)],
    ['signed by a service', () => signed({}, world.chargesKeys.privateKey)],
    ['with alg none', () => `${part({ alg: 'none', typ: 'JWT' })}.${part(claims())}.`],
    [
      'signed with the public key as a shared secret',
      () =>
        jwt.sign(
          claims(),
          createPublicKey(keyOf(world.gatewayKeys.privateKey)).export({ format: 'pem', type: 'spki' }),
          { algorithm: 'HS256', allowInvalidAsymmetricKeyTypes: true },
        ),
    ],
    ['of an unknown session', () => signed({ sid: newId() })],
    ['without a session', () => signed({ sid: undefined })],
    ['of a service’s identity', () => signerOf('gateway').sign({ kind: 'service' }, 'merchants')],
    ['that is expired and forged', () => signed({ exp: seconds() - 1 }, newKeyPair().privateKey)],
    [
      'with a payload that is not JSON',
      () => `${part({ alg: 'ES256', typ: 'JWT' })}.${Buffer.from('no').toString('base64url')}.AA`,
    ],
    ['that is not a token', () => 'abc'],
  ])('%s is INVALID_TOKEN', async (_what, make) => {
    expect(await refusalOf(`Bearer ${make()}`)).toBe('401 INVALID_TOKEN');
  });

  test.each(['', 'Bearer', 'Bearer ', 'Basic ZG9ubzpzZW5oYQ==', 'Bearer two words', 'eyJhbGciOiJFUzI1NiJ9'])(
    'is missing in the header %j',
    async (authorization) => {
      expect(await refusalOf(authorization)).toBe('401 UNAUTHORIZED');
    },
  );

  test('of a merchant opens no operator route, nor the reverse', async () => {
    const operator = await world.operator();

    expect(await refusalOf(merchant.bearer.authorization, '/v1/admin/merchants')).toBe('401 INVALID_TOKEN');
    expect(await refusalOf(operator.authorization, '/v1/account')).toBe('401 INVALID_TOKEN');
    expect(await refusalOf(operator.authorization, '/v1/balance')).toBe('401 INVALID_TOKEN');
  });
});
