import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { openTap } from '@plataforma/messaging';
import { createLog } from '@plataforma/observe';
import { claimVhost, eventually } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import jwt from 'jsonwebtoken';
import { auditOf } from './support/operators.ts';
import { NEW_PASSWORD, ownSessionsIn } from './support/own-sessions.ts';
import { send } from './support/send.ts';
import { waitsIn } from './support/waits.ts';
import { startWorld } from './support/world.ts';

const PER_ACCOUNT = 3;

const world = worldOfFile(async () =>
  startWorld({
    brokerUrl: await claimVhost(),
    settings: { LOGIN_LIMIT_PER_ACCOUNT: `${PER_ACCOUNT}`, TRUSTED_PROXIES: '127.0.0.1' },
  }),
);
const replica = beforeFile(() => world.startReplica());

const { post, list, end, change, refresh, logIn } = ownSessionsIn(world);

describe('the list of sessions', () => {
  test('shows active sessions of its own user with address and browser', async () => {
    const [merchant] = [await world.newMerchant(), await world.newMerchant()];
    const from = { 'x-forwarded-for': '203.0.113.9', 'user-agent': 'Browser/1.0 4000 0000 0000 0010' };
    const own = await logIn(merchant, from);
    const ended = await logIn(merchant);
    await end(own, ended.id);

    const sessions = await list(own);

    expect(sessions).toMatchObject([
      { id: own.id, isCurrent: true, address: '203.0.113.9', userAgent: 'Browser/1.0 [number]' },
      { isCurrent: false, address: '127.0.0.1' },
    ]);
  });

  test('shows the address and time of the latest refresh', async () => {
    const own = await logIn(await world.newMerchant());
    const [before] = await list(own);
    const from = { 'x-forwarded-for': '203.0.113.10', 'user-agent': 'x'.repeat(400) };

    await post('/v1/auth/refresh', { refreshToken: own.refreshToken }, from);

    const [after] = await list(own);
    expect(after).toMatchObject({ address: '203.0.113.10', userAgent: 'x'.repeat(300) });
    expect(Date.parse(after?.lastUsedAt ?? '')).toBeGreaterThan(Date.parse(before?.lastUsedAt ?? ''));
  });

  test('shows a session from release 0.6.0', async () => {
    const own = await logIn(await world.newMerchant());
    await world.database.query(
      'UPDATE sessions SET last_used_at = NULL, address = NULL, user_agent = NULL WHERE id = $1',
      [own.id],
    );

    const [session] = await list(own);

    expect(session).toMatchObject({ address: null, userAgent: null, lastUsedAt: session?.createdAt });
  });
});

describe('a merchant’s user', () => {
  test('ends one session, on every replica, and no other', async () => {
    const merchant = await world.newMerchant();
    const [own, stolen] = [await logIn(merchant), await logIn(merchant)];
    const stranger = await logIn(await world.newMerchant());

    expect((await end(own, stranger.id)).code).toBe('NOT_FOUND');
    expect((await end(own, stolen.id)).status).toBe(200);
    expect((await end(own, stolen.id)).code).toBe('NOT_FOUND');

    expect([await refresh(stolen), await refresh(own), await refresh(stranger)]).toEqual([
      ...['INVALID_REFRESH_TOKEN', '', ''],
    ]);
    for (const { url } of [world.gateway, replica]) {
      await eventually(async () => {
        const { code } = await send(`${url}/v1/balance`, { headers: stolen.bearer });
        expect(code).toBe('INVALID_TOKEN');
      });
    }
  });

  test('ends all other sessions', async () => {
    const merchant = await world.newMerchant();
    const [own, first, second] = [await logIn(merchant), await logIn(merchant), await logIn(merchant)];

    const { json } = await end(own);

    expect(json.data).toEqual({ ended: 3 });
    expect(await Promise.all([own, first, second, merchant].map(refresh))).toEqual([
      '',
      ...Array(3).fill('INVALID_REFRESH_TOKEN'),
    ]);
  });

  test('changes the password, which replaces all sessions and is audited', async () => {
    const merchant = await world.newMerchant();
    const [own, stolen] = [await logIn(merchant), await logIn(merchant)];

    const { status, json } = await change(own, merchant.password);

    expect(status).toBe(200);
    const opened = api.changePassword.data.parse(json.data);
    const bearer = { authorization: `Bearer ${opened.accessToken}` };
    // The session that changed the password also ends, because a thief may have a copy of its tokens.
    expect(await Promise.all([opened, own, stolen, merchant].map(refresh))).toEqual([
      '',
      ...Array(3).fill('INVALID_REFRESH_TOKEN'),
    ]);
    expect((await world.call('/v1/account', { headers: own.bearer })).code).toBe('INVALID_TOKEN');
    expect(await list({ bearer })).toMatchObject([{ isCurrent: true, address: '127.0.0.1' }]);
    const codes = [merchant.password, NEW_PASSWORD].map(async (password) => {
      const { code } = await post('/v1/auth/login', { email: merchant.email, password });
      return code;
    });
    expect(await Promise.all(codes)).toEqual(['INVALID_CREDENTIALS', '']);
    const [row, ...others] = await auditOf(world, merchant.id);
    expect([row?.action, row?.before, row?.after, others]).toEqual(['user.change_password', {}, {}, []]);
  });

  test('changes the password, which replaces all device tokens', async () => {
    const merchant = await world.newMerchant();
    const own = await logIn(merchant);
    const next = async (password: string, token?: string) => {
      const headers = token === undefined ? {} : { 'x-device-token': token };
      const { json } = await post('/v1/auth/login', { email: merchant.email, password }, headers);
      return api.logIn.data.parse(json.data).deviceToken;
    };
    const idOf = (token: string) => Object(jwt.decode(token)).device;
    const stolen = await next(merchant.password);
    expect(idOf(await next(merchant.password, stolen))).toBe(idOf(stolen));

    const { json } = await change(own, merchant.password);

    const { deviceToken } = api.changePassword.data.parse(json.data);
    expect(idOf(await next(NEW_PASSWORD, deviceToken))).toBe(idOf(deviceToken));
    expect([idOf(stolen), idOf(deviceToken)]).not.toContain(idOf(await next(NEW_PASSWORD, stolen)));
    expect(idOf(deviceToken)).not.toBe(idOf(stolen));
  });

  test.each([
    ['senha segura', 'curta', 'newPassword: must have at least 8 characters'],
    ['senha segura', 'senha segura', 'newPassword: must be another one than currentPassword'],
  ])('cannot change the password %s to %s', async (current, next, message) => {
    const own = await logIn(await world.newMerchant());

    const { json } = await change(own, current, next);

    expect(json.error).toEqual({ code: 'VALIDATION_ERROR', message });
  });

  test('has a limit of wrong current passwords for each session', async () => {
    const merchant = await world.newMerchant();
    const [own, stolen] = [await logIn(merchant), await logIn(merchant)];
    const codes: string[] = [];

    for (let tried = 0; tried < PER_ACCOUNT; tried += 1) codes.push((await change(stolen, 'a guess')).code);
    const limited = await change(stolen, merchant.password);
    const another = await change(own, merchant.password);

    expect(codes).toEqual(Array(PER_ACCOUNT).fill('INVALID_CREDENTIALS'));
    expect([limited.code, another.code]).toEqual(['RATE_LIMITED', '']);
  });
});

const waitsFor = waitsIn(world);

test('a log-in with the old password fails after the password change', async () => {
  const { email, password } = await world.newMerchant();

  const verified = await world.database.transaction(async (tx) => {
    await tx.query("UPDATE users SET password_hash = 'another' WHERE email = $1", [email]);
    const logIn = post('/v1/auth/login', { email, password });
    await waitsFor('INSERT INTO sessions');
    return { logIn };
  });

  expect((await verified.logIn).code).toBe('INVALID_CREDENTIALS');
});

test('a session that ends meanwhile cannot change the password', async () => {
  const merchant = await world.newMerchant();
  const own = await logIn(merchant);

  const verified = await world.database.transaction(async (tx) => {
    await tx.query('SELECT FROM users WHERE email = $1 FOR UPDATE', [merchant.email]);
    const changing = change(own, merchant.password);
    await waitsFor('UPDATE users SET password_hash');
    await end(own, own.id);
    return { changing };
  });

  expect((await verified.changing).code).toBe('INVALID_CREDENTIALS');
  expect((await logIn(merchant)).id).not.toBe('');
});

test('the end of a session is announced to web', async () => {
  const ended: string[] = [];
  const tap = openTap({
    ...{ brokerUrl: world.brokerUrl, name: 'web', types: ['live.gateway'], signatures: { mode: 'accept' } },
    log: createLog({ service: 'test', level: 'silent' }),
    receive: ({ aggregateId }) => void ended.push(aggregateId),
  });
  const merchant = await world.newMerchant();
  const own = await logIn(merchant);

  // The broker drops live updates until the queue of `web` is bound, so the test logs in and ends the session
  // repeatedly.
  await eventually(async () => {
    const { id } = await logIn(merchant);
    await end(own, id);
    await eventually(() => expect(ended).toContain(id), { timeoutMs: 1_000 });
  });

  await tap.stop();
});
