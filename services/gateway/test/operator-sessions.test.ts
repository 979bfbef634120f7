import { createPrivateKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { api, type Endpoint } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { totpCode, totpStepAt } from '@plataforma/kernel/totp';
import { eventually } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import jwt from 'jsonwebtoken';
import { startGateway } from '../src/service.ts';
import { type Factor, newOperator, PASSWORD } from './support/factors.ts';
import { auditOf } from './support/operators.ts';
import { send } from './support/send.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);
const replica = beforeFile(() => startGateway({ ...world.env, MIGRATE_ON_START: 'false' }));
let admin: Factor;

beforeAll(async () => {
  admin = await newOperator(world, { isEnrolled: true });
});
afterAll(() => replica.stop());

type Headers = Factor['headers'];

const reads = async (headers: Headers, url = world.gateway.url) => {
  const { status, code } = await send(`${url}/v1/admin/merchants`, { headers });
  return `${status} ${code}`;
};
const refresh = (refreshToken: string, url = world.gateway.url) =>
  send(`${url}/v1/admin/auth/refresh`, { method: 'POST', body: { refreshToken } });
const refreshed = async (own: Factor) => (await refresh(own.refreshToken)).code;
const bearerIn = ({ json }: { json: { data?: unknown } }): Headers => ({
  authorization: `Bearer ${Object(json.data).accessToken}`,
});
const listed = async (path: string, headers: Headers) =>
  api.listOwnOperatorSessions.data.array().parse((await world.call(path, { headers })).json.data);
const ownSessions = ({ headers }: Factor) => listed('/v1/admin/auth/sessions', headers);
const end = (path: string, headers: Headers) => world.call(path, { method: 'DELETE', headers });
const setSession = (own: Factor, columns: string) =>
  world.database.query(`UPDATE sessions SET ${columns} WHERE operator_id = $1`, [own.id]);
const letStepsPass = ({ id }: Factor) =>
  world.database.query('UPDATE operator_factors SET last_step = last_step - 3 WHERE operator_id = $1', [id]);
const otpOf = ({ secret }: Factor) => totpCode(secret, totpStepAt(new Date()));

/** Expects that neither the access token nor the refresh token works on any replica. */
async function expectEnded(own: Factor): Promise<void> {
  for (const url of [world.gateway.url, replica.url]) {
    await eventually(async () => expect(await reads(own.headers, url)).toBe('401 INVALID_TOKEN'));
  }
  expect(await refreshed(own)).toBe('INVALID_REFRESH_TOKEN');
}

describe('an operator’s refresh token', () => {
  test('returns access tokens and stays the same', async () => {
    const own = await newOperator(world, { isEnrolled: true });

    for (const url of [world.gateway.url, replica.url]) {
      const answer = await refresh(own.refreshToken, url);

      expect([answer.status, Object.keys(Object(answer.json.data))]).toEqual([200, ['accessToken']]);
      expect(await reads(bearerIn(answer))).toBe('200 ');
    }
  });

  test('ends after 30 minutes without use, and 12 hours after the log-in', async () => {
    const own = await newOperator(world, { isEnrolled: true });
    await setSession(own, "created_at = now() - interval '11 hours 50 minutes'");
    expect(await refreshed(own)).toBe('');
    const [session] = await world.database.query<{ left: number }>(
      'SELECT extract(epoch FROM expires_at - now())::float8 AS left FROM sessions WHERE operator_id = $1',
      [own.id],
    );
    expect(session?.left).toBeLessThanOrEqual(600);

    const idle = await newOperator(world, { isEnrolled: true });
    const [fresh] = await ownSessions(idle);
    const idleMs = Date.parse(`${fresh?.expiresAt}`) - Date.parse(`${fresh?.createdAt}`);
    await setSession(idle, 'expires_at = now()');

    expect(idleMs).toBe(30 * 60_000);
    expect(await refreshed(idle)).toBe('INVALID_REFRESH_TOKEN');
  });

  test('of a merchant opens no operator session, nor the reverse', async () => {
    const own = await newOperator(world, { isEnrolled: true });
    const merchant = await world.newMerchant();

    const asMerchant = await world.post('/v1/auth/refresh', { refreshToken: own.refreshToken });

    expect([asMerchant.code, (await refresh(merchant.refreshToken)).code]).toEqual(
      Array(2).fill('INVALID_REFRESH_TOKEN'),
    );
  });

  test('does not make the second factor fresh', async () => {
    const own = await newOperator(world, { isEnrolled: true });
    await setSession(own, "factor_at = now() - interval '6 minutes'");
    const stale = bearerIn(await refresh(own.refreshToken));
    const approve = (headers: Headers) =>
      world.post('/v1/admin/audit-epochs', { service: 'ledger', reason: 'restaurado' }, headers);

    const refused = await approve(stale);
    await letStepsPass(own);
    const confirmed = await world.post('/v1/admin/auth/confirm', { otp: otpOf(own) }, stale);

    expect([refused.status, refused.code]).toEqual([403, 'SECOND_FACTOR_STALE']);
    expect(confirmed.status).toBe(200);
    expect((await approve(bearerIn(confirmed))).code).not.toBe('SECOND_FACTOR_STALE');
    expect((await approve(stale)).code).toBe('SECOND_FACTOR_STALE');
    expect(await reads(stale)).toBe('200 ');
  });
});

const guarded = Object.entries(api as Record<string, Endpoint>).filter(([, { freshFactor }]) => freshFactor);

test('what moves money or widens power needs a fresh factor', () => {
  const names = ['approveWithdrawal', 'changeMerchantSettings', 'changeOperator', 'changeOperatorPassword'];
  const decisions = [
    'completeWithdrawal',
    'failWithdrawal',
    'debitWithdrawalAnew',
    'failUndebitedWithdrawal',
  ];
  const money = ['adjustWallet', 'unblockMoney', 'resolveDispute', 'approveProposal', ...decisions];
  expect(guarded.map(([name]) => name)).toEqual(
    expect.arrayContaining([...names, ...money, 'createOperator']),
  );
});

test.each(guarded)('%s refuses an old second factor', async (_, { method, path }) => {
  const own = await newOperator(world, { isEnrolled: true, role: 'ADMIN' });
  await setSession(own, "factor_at = now() - interval '6 minutes'");
  const stale = bearerIn(await refresh(own.refreshToken));

  expect(
    await world.call(path.replace(/:\w+/g, newId()), {
      ...{ method: method.toUpperCase(), headers: stale },
      ...(method !== 'get' && { body: {} }),
    }),
  ).toMatchObject({ status: 403, code: 'SECOND_FACTOR_STALE' });
});

describe('an operator', () => {
  test('reads the own account with the time of the factor', async () => {
    const own = await newOperator(world, { isEnrolled: true, role: 'SUPPORT' });

    const { json } = await world.call('/v1/admin/me', { headers: own.headers });

    const me = api.readOwnOperator.data.parse(json.data);
    expect(me).toMatchObject({ id: own.id, email: own.email, role: 'SUPPORT' });
    expect(Date.now() - Date.parse(`${me.factorAt}`)).toBeLessThan(60_000);
  });

  test('lists and ends own sessions only', async () => {
    const own = await newOperator(world, { isEnrolled: true });
    await letStepsPass(own);
    const second = await world.post('/v1/admin/auth/login', {
      ...{ email: own.email, password: PASSWORD, otp: otpOf(own) },
    });
    const sessions = await ownSessions(own);
    const [newest, oldest] = sessions;

    const byOther = await end(`/v1/admin/auth/sessions/${newest?.id}`, admin.headers);
    const ended = await end(`/v1/admin/auth/sessions/${newest?.id}`, own.headers);

    expect(sessions.map(({ isCurrent }) => isCurrent)).toEqual([false, true]);
    expect([byOther.status, ended.status]).toEqual([404, 200]);
    await eventually(async () => expect(await reads(bearerIn(second))).toBe('401 INVALID_TOKEN'));
    expect((await ownSessions(own)).map(({ id }) => id)).toEqual([oldest?.id]);
    await end(`/v1/admin/auth/sessions/${oldest?.id}`, own.headers);
    await expectEnded(own);
  });
});

describe('an ADMIN', () => {
  test('lists and ends the sessions of another operator, which is audited', async () => {
    const own = await newOperator(world, { isEnrolled: true, role: 'SUPPORT' });
    const path = `/v1/admin/operators/${own.id}/sessions`;
    const before = await listed(path, admin.headers);

    const refused = await end(path, own.headers);
    const { json } = await end(path, admin.headers);

    expect([before.length, refused.code, json.data]).toEqual([1, 'FORBIDDEN', { ended: 1 }]);
    await expectEnded(own);
    expect(await auditOf(world, own.id)).toMatchObject([
      { operator_id: admin.id, action: 'operator.end_sessions', after: { endedSessions: 1 } },
    ]);
    const unknown = await end(
      `/v1/admin/operators/${(await world.newMerchant()).id}/sessions`,
      admin.headers,
    );
    expect(unknown.status).toBe(404);
  });

  test('ends them by a deactivation, for ever', async () => {
    const own = await newOperator(world, { isEnrolled: true, role: 'SUPPORT' });
    const set = (isActive: boolean) =>
      world.call(`/v1/admin/operators/${own.id}`, {
        ...{ method: 'PATCH', headers: admin.headers, body: { isActive } },
      });

    await set(false);
    await expectEnded(own);
    await set(true);

    await expectEnded(own);
  });
});

describe('a password change', () => {
  test('ends every session and opens a new one with the same factor', async () => {
    const own = await newOperator(world, { isEnrolled: true });
    const body = { currentPassword: PASSWORD, newPassword: 'outra senha segura' };

    const { status, json } = await world.post('/v1/admin/auth/password', body, own.headers);

    const { accessToken, refreshToken } = api.changeOperatorPassword.data.parse(json.data);
    expect(status).toBe(200);
    await expectEnded(own);
    expect(await reads({ authorization: `Bearer ${accessToken}` })).toBe('200 ');
    expect((await refresh(refreshToken)).status).toBe(200);
  });

  test('is refused in a session that has just ended', async () => {
    const own = await newOperator(world, { isEnrolled: true });
    const body = { currentPassword: PASSWORD, newPassword: 'outra senha segura' };
    await setSession(own, 'ended_at = now()');

    const { code } = await world.post('/v1/admin/auth/password', body, own.headers);

    expect(code).toBe('INVALID_TOKEN');
  });
});

describe('a token of release 0.6.0', () => {
  const tokenOf = ({ id }: Factor): Headers => {
    const key = createPrivateKey({
      key: Buffer.from(world.gatewayKeys.privateKey, 'base64'),
      ...{ format: 'der', type: 'pkcs8' },
    });
    const life = { issuer: 'gateway', audience: 'operators', expiresIn: 60 };
    return {
      authorization: `Bearer ${jwt.sign({ sub: id, role: 'ADMIN' }, key, { algorithm: 'ES256', ...life })}`,
    };
  };

  test('works for an operator without a second factor, but is not fresh', async () => {
    const headers = tokenOf(await newOperator(world));
    const epoch = { service: 'ledger', reason: 'restaurado' };

    const answers = [
      await world.post('/v1/admin/audit-epochs', epoch, headers),
      await world.post('/v1/admin/auth/confirm', { otp: '123456' }, headers),
    ];

    expect(await reads(headers)).toBe('200 ');
    expect(answers.map(({ code }) => code)).toEqual(['SECOND_FACTOR_STALE', 'INVALID_TOKEN']);
  });

  test('is refused once the operator has a second factor', async () => {
    expect(await reads(tokenOf(await newOperator(world, { isEnrolled: true })))).toBe('401 INVALID_TOKEN');
  });
});
