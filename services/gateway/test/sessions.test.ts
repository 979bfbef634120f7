import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { sharedWorld } from './support/world.ts';

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
    const { status, code } = await world.post('/v1/auth/refresh', { refreshToken });

    expect([status, code]).toEqual([401, 'INVALID_REFRESH_TOKEN']);
  });

  test('is not refreshed after its expiry', async () => {
    const { id, refreshToken } = await world.newMerchant();
    await world.database.query(
      "UPDATE sessions SET expires_at = now() - interval '1 s' WHERE organization_id = $1",
      [id],
    );

    const { status, code } = await world.post('/v1/auth/refresh', { refreshToken });

    expect([status, code]).toEqual([401, 'INVALID_REFRESH_TOKEN']);
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
    const { status, code } = await world.call('/v1/auth/logout', { method: 'POST' });

    expect([status, code]).toEqual([401, 'UNAUTHORIZED']);
  });
});
