import { describe, expect, test } from '@jest/globals';
import { totpCode, totpStepAt } from '@plataforma/kernel/totp';
import { worldOfFile } from '@plataforma/testing/world';
import { newKey } from '../src/domain/api-key.ts';
import { enrol, newOperator, PASSWORD } from './support/factors.ts';
import { insiderOf } from './support/insider.ts';
import { changeSettings, eventsOf, snapshotOf } from './support/operators.ts';
import { passkeysOf, startPasskeyWorld } from './support/passkeys.ts';
import { forceStatus, type Merchant, signerOf } from './support/world.ts';

const world = worldOfFile(startPasskeyWorld);
const insider = insiderOf(world);
const page = passkeysOf(world);

const withKey = (key: string) => world.call('/v1/charges', { headers: { 'x-api-key': key } });
const account = ({ bearer }: Pick<Merchant, 'bearer'>) => world.call('/v1/account', { headers: bearer });

test('an API key with a changed column answers like an unknown key', async () => {
  const merchant = await world.approvedMerchant();
  const unknown = await withKey(newKey('sandbox'));
  expect(unknown.status).toBe(401);
  const columns = await insider.sealed('api_keys');
  let tried = 0;
  for (const column of columns) {
    // The gateway caches each answer, so each column has a key that was not used before.
    const { id, key } = await world.newKey(merchant, { allowedIps: ['127.0.0.1'] });
    for await (const flip of insider.flips('api_keys', id, [column])) {
      const { status, json } = await withKey(key);
      expect([flip, status, json.error?.code]).toEqual([flip, 401, 'INVALID_API_KEY']);
      tried += 1;
    }
  }
  expect(tried).toBeGreaterThan(10);
  const { key } = await world.newKey(merchant, { allowedIps: ['127.0.0.1'] });
  expect(await withKey(key)).toMatchObject({ status: 200 });
});

test('an API key with a changed column is not rotated, and is revoked without a new seal', async () => {
  const merchant = await world.approvedMerchant();
  const { id, key } = await world.newKey(merchant, { expiresAt: '2999-01-01T00:00:00Z' });
  const columns = (await insider.sealed('api_keys')).filter((name) => name !== 'organization_id');
  for await (const flip of insider.flips('api_keys', id, columns)) {
    const { status } = await world.post(`/v1/api-keys/${id}/rotate`, {}, merchant.bearer);
    expect([flip, status]).toEqual([flip, 409]);
  }
  await insider.query("UPDATE api_keys SET scopes = '{withdrawals:write}' WHERE id = $1", [id]);
  const revoked = await world.call(`/v1/api-keys/${id}`, { method: 'DELETE', headers: merchant.bearer });
  expect(revoked.status).toBe(200);
  await insider.query('UPDATE api_keys SET revoked_at = NULL WHERE id = $1', [id]);
  expect(await withKey(key)).toMatchObject({ status: 401, code: 'INVALID_API_KEY' });
});

test('a session with a changed column neither works nor refreshes', async () => {
  const merchant = await world.newMerchant();
  await world.newMerchant();
  const { refreshToken } = merchant;
  const find = `
    SELECT s.id FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1`;
  const [session] = await insider.query<{ id: string }>(find, [merchant.email]);
  let tried = 0;
  for await (const flip of insider.flips('sessions', `${session?.id}`, await insider.sealed('sessions'))) {
    const used = await account(merchant);
    const refreshed = await world.post('/v1/auth/refresh', { refreshToken, rotate: true });
    expect([flip, used.code, refreshed.code]).toEqual([flip, 'INVALID_TOKEN', 'INVALID_REFRESH_TOKEN']);
    tried += 1;
  }
  expect(tried).toBeGreaterThan(8);
  expect(await account(merchant)).toMatchObject({ status: 200 });
  expect(await world.post('/v1/auth/refresh', { refreshToken })).toMatchObject({ status: 200 });
});

test('a session of an operator with a changed column does not refresh', async () => {
  const { id, refreshToken } = await newOperator(world, { isEnrolled: true });
  const refresh = () => world.post('/v1/admin/auth/refresh', { refreshToken });
  const [session] = await insider.query<{ id: string }>('SELECT id FROM sessions WHERE operator_id = $1', [
    id,
  ]);
  let tried = 0;
  for await (const flip of insider.flips('sessions', `${session?.id}`, await insider.sealed('sessions'))) {
    expect([flip, (await refresh()).code]).toEqual([flip, 'INVALID_REFRESH_TOKEN']);
    tried += 1;
  }
  expect(tried).toBeGreaterThan(7);
  // Each extension has a seal of its own.
  expect([(await refresh()).status, (await refresh()).status]).toEqual([200, 200]);
});

test('a user with a changed column neither logs in nor changes the password', async () => {
  const merchant = await world.newMerchant();
  await world.newMerchant();
  const { email, password } = merchant;
  const logIn = () => world.post('/v1/auth/login', { email, password });
  const change = { currentPassword: password, newPassword: 'outra senha segura' };
  const [user] = await insider.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [email]);
  let tried = 0;
  for await (const flip of insider.flips('users', `${user?.id}`, await insider.sealed('users'))) {
    const changed = await world.post('/v1/auth/password', change, merchant.bearer);
    expect([flip, (await logIn()).code, changed.code]).toEqual([
      flip,
      ...['INVALID_CREDENTIALS', 'INVALID_CREDENTIALS'],
    ]);
    tried += 1;
  }
  expect(tried).toBe(5);
  expect(await logIn()).toMatchObject({ status: 200 });
});

test('an operator with a changed column neither logs in nor refreshes, and is not active', async () => {
  const { id, email, secret, refreshToken } = await newOperator(world, { isEnrolled: true, role: 'FINANCE' });
  const logIn = () => {
    const otp = totpCode(secret, totpStepAt(new Date()) + 1);
    return world.post('/v1/admin/auth/login', { email, password: PASSWORD, otp });
  };
  let tried = 0;
  for await (const flip of insider.flips('operators', id, await insider.sealed('operators'))) {
    const answers = [await logIn(), await world.post('/v1/admin/auth/refresh', { refreshToken })];
    expect([flip, ...answers.map(({ code }) => code)]).toEqual([
      flip,
      ...['INVALID_CREDENTIALS', 'INVALID_REFRESH_TOKEN'],
    ]);
    expect([flip, await activeIds()]).toEqual([flip, expect.not.arrayContaining([id])]);
    tried += 1;
  }
  expect(tried).toBe(7);
  expect(await activeIds()).toContain(id);
  expect(await logIn()).toMatchObject({ status: 200 });
});

async function activeIds(): Promise<string[]> {
  const headers = { 'x-internal-identity': signerOf('charges').sign({ kind: 'service' }, 'gateway') };
  const answer = await fetch(`${world.gateway.internalUrl}/internal/operators`, { headers });
  const { data } = (await answer.json()) as { data: { id: string }[] };
  return data.map(({ id }) => id);
}

describe('a second factor with a changed column', () => {
  test('does not enrol while it is pending', async () => {
    const { id, email } = await newOperator(world);
    const logIn = (_email: string, more: object = {}) =>
      world.post('/v1/admin/auth/login', { email, password: PASSWORD, ...more });
    const secret = await enrol(email, logIn);
    for await (const flip of insider.flips(
      'operator_factors',
      id,
      await insider.sealed('operator_factors'),
    )) {
      const codes = [
        (await logIn(email)).code,
        (await logIn(email, { otp: totpCode(secret, totpStepAt(new Date())) })).code,
      ];
      expect([flip, ...codes]).toEqual([flip, 'INVALID_SECOND_FACTOR', 'INVALID_SECOND_FACTOR']);
    }
    const otp = totpCode(secret, totpStepAt(new Date()));
    expect(await logIn(email, { otp })).toMatchObject({ status: 200 });
  });

  test('accepts no code, also no recovery code', async () => {
    const { id, email, secret, recoveryCodes } = await newOperator(world, { isEnrolled: true });
    const logIn = (otp: string | undefined) =>
      world.post('/v1/admin/auth/login', { email, password: PASSWORD, otp });
    const next = () => totpCode(secret, totpStepAt(new Date()) + 1);
    let tried = 0;
    for await (const flip of insider.flips(
      'operator_factors',
      id,
      await insider.sealed('operator_factors'),
    )) {
      const codes = [(await logIn(next())).code, (await logIn(recoveryCodes[0])).code];
      expect([flip, ...codes]).toEqual([flip, 'INVALID_SECOND_FACTOR', 'INVALID_SECOND_FACTOR']);
      tried += 1;
    }
    expect(tried).toBe(7);
    expect(await logIn(recoveryCodes[0])).toMatchObject({ status: 200 });
  });
});

/** Resets the counts of wrong codes and passkey answers, so that no second factor is locked. */
const forgive = () => world.database.query('UPDATE operator_factors SET wrong_codes = 0');

test('a passkey with a changed column is neither asked for nor accepted', async () => {
  const own = await page.newOwner({ counter: 3 });
  const columns = await insider.sealed('operator_passkeys');
  const challenges: Record<string, unknown>[] = [];
  for (const _ of columns) challenges.push({ ...(await page.challenged(own)) });
  let tried = 0;
  for await (const flip of insider.flips('operator_passkeys', own.passkeyId, columns)) {
    const passkey = own.authenticator.answer(challenges.pop(), { counter: 9 });
    const answers = [await page.logIn(own, { passkey }), await page.logIn(own)];
    const options = answers[1]?.json.error?.passkey;
    expect([flip, ...answers.map(({ code }) => code), options]).toEqual([
      ...[flip, 'INVALID_SECOND_FACTOR', 'SECOND_FACTOR_REQUIRED', undefined],
    ]);
    await forgive();
    tried += 1;
  }
  expect(tried).toBeGreaterThan(8);
  expect(await page.logInBy(own, { counter: 4 })).toMatchObject({ status: 200 });
});

test('a challenge with a changed column is refused', async () => {
  const own = await page.newOwner();
  const columns = await insider.sealed('operator_challenges');
  const flipped: string[] = [];
  for (const column of columns) {
    const options = await page.confirming(own);
    const passkey = own.authenticator.answer(options);
    for await (const flip of insider.flips('operator_challenges', String(options?.challenge), [column])) {
      const codes = [await page.confirm({ passkey }, own), await page.logIn(own, { passkey })];
      expect([flip, ...codes.map(({ code }) => code)]).toEqual([
        flip,
        ...Array(2).fill('INVALID_SECOND_FACTOR'),
      ]);
      flipped.push(column);
      await forgive();
    }
  }
  expect(flipped.toSorted()).toEqual(columns.toSorted());
  const passkey = own.authenticator.answer(await page.confirming(own));
  expect(await page.confirm({ passkey }, own)).toMatchObject({ status: 200 });
});

test.each(['PENDING', 'APPROVED', 'SUSPENDED', 'REJECTED'])(
  'an account with a changed column is neither used nor changed nor announced while it is %s',
  async (status) => {
    const merchant = await world.newMerchant();
    const { id } = merchant;
    if (status !== 'PENDING') await forceStatus(world, id, status);
    const headers = await world.operator();
    const events = (await eventsOf(world, id)).length;
    // Another test changes the status, because the database refuses to change it back.
    const columns = (await insider.sealed('organizations')).filter((name) => name !== 'status');
    const step = { PENDING: 'approve', APPROVED: 'suspend' }[status] ?? 'reactivate';
    let tried = 0;
    for await (const flip of insider.flips('organizations', id, columns)) {
      const answers = [
        await account(merchant),
        await changeSettings(world, id, { headers, body: { pixFeeBps: 700 } }),
        await world.post(`/v1/admin/merchants/${id}/${step}`, { reason: 'teste' }, headers),
      ];
      expect([flip, ...answers.map((answer) => answer.status)]).toEqual([flip, 401, 409, 409]);
      await expect(snapshotOf(world, id)).rejects.toThrow();
      tried += 1;
    }
    expect(tried).toBeGreaterThan(22);
    expect(await eventsOf(world, id)).toHaveLength(events);
    expect(await account(merchant)).toMatchObject({ status: 200 });
    expect(await world.post(`/v1/admin/merchants/${id}/${step}`, { reason: 'teste' }, headers)).toMatchObject(
      {
        status: 200,
      },
    );
  },
);
