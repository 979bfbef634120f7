import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { totpCode, totpStepAt } from '@plataforma/kernel/totp';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { hashOf, newKey } from '../src/domain/api-key.ts';
import { newAuthenticator } from './support/authenticator.ts';
import { newOperator, PASSWORD } from './support/factors.ts';
import { insiderOf } from './support/insider.ts';
import { changeSettings, eventsOf } from './support/operators.ts';
import { NEW_PASSWORD } from './support/own-sessions.ts';
import { passkeysOf, startPasskeyWorld } from './support/passkeys.ts';
import { waitsIn } from './support/waits.ts';
import { signerOf } from './support/world.ts';

const world = worldOfFile(startPasskeyWorld);
const page = passkeysOf(world);
const insider = insiderOf(world);
const waitsFor = waitsIn(world);

const withKey = (key: string) => world.call('/v1/charges', { headers: { 'x-api-key': key } });
const UNKNOWN = { status: 401, code: 'INVALID_API_KEY' };
const logIn = (email: string, more: object = {}) =>
  world.post('/v1/admin/auth/login', { email, password: PASSWORD, ...more });
const codeOf = (secret: string) => ({ otp: totpCode(secret, totpStepAt(new Date()) + 1) });
const sessionOf = async (operatorId: string) =>
  (await insider.query<{ id: string }>('SELECT id FROM sessions WHERE operator_id = $1', [operatorId]))[0]
    ?.id ?? '';
const refreshOperator = (refreshToken: string) => world.post('/v1/admin/auth/refresh', { refreshToken });

describe('an intruder with the database login of the gateway', () => {
  test.each([{ seal: null }, {}])(
    'gets no API key of another merchant by an added row (%p)',
    async (seal) => {
      const [victim, own] = [await world.approvedMerchant(), await world.approvedMerchant()];
      const { id } = await world.newKey(own);
      const key = newKey('sandbox');
      const stolen = { id: newId(), organization_id: victim.id, key_hash: hashOf(key), ...seal };
      await insider.forge('api_keys', id, stolen);

      const unknown = await withKey(newKey('sandbox'));

      expect(await withKey(key)).toMatchObject({ ...UNKNOWN, json: unknown.json });
    },
  );

  test.each([
    ['scopes', {}, "scopes = '{charges:write,withdrawals:write}'"],
    ['merchant', {}, 'organization_id = (SELECT id FROM organizations WHERE id <> organization_id LIMIT 1)'],
    ['end', { expiresAt: '2999-01-01T00:00:00Z' }, 'expires_at = NULL'],
    ['addresses', { allowedIps: ['203.0.113.7'] }, "allowed_ips = '{}'"],
  ])('changes no %s of an API key', async (_, body, change) => {
    await world.approvedMerchant();
    const { id, key } = await world.newKey(await world.approvedMerchant(), {
      scopes: ['charges:read'],
      ...body,
    });

    await insider.query(`UPDATE api_keys SET ${change} WHERE id = $1`, [id]);

    expect(await withKey(key)).toMatchObject(UNKNOWN);
  });

  test('makes no revoked API key work again', async () => {
    const merchant = await world.approvedMerchant();
    const { id, key } = await world.newKey(merchant);
    await world.call(`/v1/api-keys/${id}`, { method: 'DELETE', headers: merchant.bearer });

    await insider.query('UPDATE api_keys SET revoked_at = NULL WHERE id = $1', [id]);

    expect(await withKey(key)).toMatchObject(UNKNOWN);
  });

  test('adds no ADMIN who logs in or is counted as active', async () => {
    const operator = await newOperator(world, { isEnrolled: true });
    const forged = [newId(), newId()];
    for (const id of forged)
      await insider.forge('operators', operator.id, { id, email: `${id}@forged.test`, factor_at: null });
    const headers = { 'x-internal-identity': signerOf('charges').sign({ kind: 'service' }, 'gateway') };

    expect(await logIn(`${forged[0]}@forged.test`)).toMatchObject({ code: 'INVALID_CREDENTIALS' });
    const active = await (await fetch(`${world.gateway.internalUrl}/internal/operators`, { headers })).text();
    expect(active).toContain(operator.id);
    for (const id of forged) expect(active).not.toContain(id);

    await insider.query('DELETE FROM operators WHERE id = ANY ($1)', [forged]);
  });

  test.each([
    ['promotes no operator', "role = 'ADMIN'"],
    [
      'changes no password of an operator',
      "password_hash = (SELECT password_hash FROM operators WHERE email = 'operator@plataforma.test')",
    ],
  ])('%s', async (_, change) => {
    const { id, email, secret, refreshToken } = await newOperator(world, {
      isEnrolled: true,
      role: 'SUPPORT',
    });

    await insider.query(`UPDATE operators SET ${change} WHERE id = $1`, [id]);

    const password = change.startsWith('role') ? PASSWORD : 'the operator’s password';
    expect(await logIn(email, { password, ...codeOf(secret) })).toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
    expect(await refreshOperator(refreshToken)).toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
  });

  test('gives the session of a promoted operator no more power', async () => {
    const { id, headers } = await newOperator(world, { isEnrolled: true, role: 'SUPPORT' });
    await insider.query("UPDATE operators SET role = 'ADMIN' WHERE id = $1", [id]);

    await eventually(async () =>
      expect(await world.call('/v1/admin/operators', { headers })).toMatchObject({ code: 'INVALID_TOKEN' }),
    );
  });

  test('reactivates no operator', async () => {
    const { id, email, secret } = await newOperator(world, { isEnrolled: true, role: 'FINANCE' });
    const headers = await world.operator();
    const sending = { method: 'PATCH', headers, body: { isActive: false } };
    expect(await world.call(`/v1/admin/operators/${id}`, sending)).toMatchObject({ status: 200 });

    await insider.query('UPDATE operators SET is_active = true WHERE id = $1', [id]);

    expect(await logIn(email, codeOf(secret))).toMatchObject({ code: 'INVALID_CREDENTIALS' });
  });

  test('promotes no operator while the operator changes the password', async () => {
    const { id, email, secret, headers } = await newOperator(world, { isEnrolled: true, role: 'SUPPORT' });
    const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    const changing = await insider.transaction(async (tx) => {
      await tx.query("UPDATE operators SET role = 'ADMIN' WHERE id = $1", [id]);
      const sent = world.post('/v1/admin/auth/password', body, headers);
      await waitsFor('FROM operators WHERE id = $1 FOR NO KEY UPDATE');
      return [sent];
    });

    expect(await changing[0]).toMatchObject({ code: 'INVALID_CREDENTIALS' });
    for (const password of [PASSWORD, NEW_PASSWORD])
      expect(await logIn(email, { password, ...codeOf(secret) })).toMatchObject({
        code: 'INVALID_CREDENTIALS',
      });
  });

  test('moves no user to another merchant while the user changes the password', async () => {
    const [victim, own] = [await world.newMerchant(), await world.newMerchant()];
    const body = { currentPassword: own.password, newPassword: NEW_PASSWORD };
    const changing = await insider.transaction(async (tx) => {
      await tx.query('UPDATE users SET organization_id = $2 WHERE email = $1', [own.email, victim.id]);
      const sent = world.post('/v1/auth/password', body, own.bearer);
      await waitsFor('UPDATE users SET password_hash');
      return [sent];
    });

    await changing[0];
    for (const password of [own.password, NEW_PASSWORD])
      expect(await world.post('/v1/auth/login', { email: own.email, password })).toMatchObject({
        code: 'INVALID_CREDENTIALS',
      });
  });

  test('removes no second factor', async () => {
    const { id, email } = await newOperator(world, { isEnrolled: true });

    await insider.query('DELETE FROM operator_factors WHERE operator_id = $1', [id]);

    const refused = await logIn(email);
    expect(refused).toMatchObject({ code: 'INVALID_SECOND_FACTOR' });
    expect(refused.json.error?.otpauth).toBeUndefined();
  });

  test('replaces no second factor by that of an earlier enrolment', async () => {
    const { id, email, secret } = await newOperator(world, { isEnrolled: true });
    const read = 'SELECT to_jsonb(f) AS row FROM operator_factors f WHERE operator_id = $1';
    const [former] = await insider.query<{ row: object }>(read, [id]);
    await world.database.transaction(async (tx) => {
      await tx.query('DELETE FROM operator_factors WHERE operator_id = $1', [id]);
      await tx.query('UPDATE operators SET factor_at = NULL WHERE id = $1', [id]);
    });
    await insider.query(
      'INSERT INTO operator_factors SELECT (jsonb_populate_record(NULL::operator_factors, $1::jsonb)).*',
      [JSON.stringify(former?.row)],
    );

    expect(await logIn(email, codeOf(secret))).toMatchObject({ code: 'INVALID_SECOND_FACTOR' });
  });

  test('adds no recovery code', async () => {
    const { id, email, recoveryCodes } = await newOperator(world, { isEnrolled: true });
    const insert = `
      INSERT INTO operator_recovery_codes
      SELECT operator_id, $2, seal FROM operator_recovery_codes WHERE operator_id = $1 LIMIT 1`;
    await insider.query(insert, [id, hashOf('AAAABBBBCCCCDDDD')]);

    expect(await logIn(email, { otp: 'aaaa-bbbb-cccc-dddd' })).toMatchObject({
      code: 'INVALID_SECOND_FACTOR',
    });
    expect(await logIn(email, { otp: recoveryCodes[0] })).toMatchObject({ status: 200 });
  });

  test('adds no passkey', async () => {
    const [victim, own] = [await page.newOwner(), await page.newOwner()];
    const credential_id = newAuthenticator().id;
    const find = 'SELECT factor_at FROM operators WHERE id = $1';
    const [factor] = await insider.query<{ factor_at: string }>(find, [victim.id]);
    const forged = { id: newId(), operator_id: victim.id, credential_id, ...factor };
    await insider.forge('operator_passkeys', own.passkeyId, forged);
    const answer = own.authenticator.answer(await page.challenged(victim));
    const passkey = { ...answer, id: credential_id, rawId: credential_id };

    expect(await page.logIn(victim, { passkey })).toMatchObject({ code: 'INVALID_SECOND_FACTOR' });
  });

  test('opens no session of a user by a row that was added or moved', async () => {
    const [victim, own] = [await world.newMerchant(), await world.newMerchant()];
    const find = 'SELECT id, user_id AS user FROM sessions WHERE organization_id = $1';
    const [session] = await insider.query<{ id: string }>(find, [own.id]);
    const [{ user = '' } = {}] = await insider.query<{ user: string }>(find, [victim.id]);
    const moved = { user_id: user, organization_id: victim.id };
    await insider.forge('sessions', `${session?.id}`, {
      id: newId(),
      refresh_hash: hashOf('forged'),
      ...moved,
    });
    const refresh = (refreshToken: string) => world.post('/v1/auth/refresh', { refreshToken });

    expect(await refresh('forged')).toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });

    const move = 'UPDATE sessions SET user_id = $2, organization_id = $3 WHERE id = $1';
    await insider.query(move, [session?.id, user, victim.id]);
    expect(await world.call('/v1/account', { headers: own.bearer })).toMatchObject({ code: 'INVALID_TOKEN' });
    expect(await refresh(own.refreshToken)).toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
  });

  test('opens no session of an operator by a row that was added or moved', async () => {
    const [admin, own] = [
      await newOperator(world, { isEnrolled: true }),
      await newOperator(world, { isEnrolled: true, role: 'SUPPORT' }),
    ];
    const session = await sessionOf(own.id);
    const forged = { id: newId(), refresh_hash: hashOf('forged operator'), operator_id: admin.id };
    await insider.forge('sessions', session, forged);
    expect(await refreshOperator('forged operator')).toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });

    await insider.query('UPDATE sessions SET operator_id = $2 WHERE id = $1', [session, admin.id]);
    expect(await refreshOperator(own.refreshToken)).toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
  });

  test('continues no session that has ended', async () => {
    const [merchant, operator] = [await world.newMerchant(), await newOperator(world, { isEnrolled: true })];
    const session = await sessionOf(operator.id);
    await world.post('/v1/auth/logout', {}, merchant.bearer);
    const path = `/v1/admin/auth/sessions/${session}`;
    await world.call(path, { method: 'DELETE', headers: operator.headers });

    const revive = 'UPDATE sessions SET ended_at = NULL WHERE id = $1 OR organization_id = $2 RETURNING id';
    expect(await insider.query(revive, [session, merchant.id])).toHaveLength(2);

    const { refreshToken } = merchant;
    expect(await world.post('/v1/auth/refresh', { refreshToken })).toMatchObject({ status: 401 });
    expect(await refreshOperator(operator.refreshToken)).toMatchObject({ status: 401 });
  });

  test.each([
    ['settings', 'auto_approve_limit_cents = 999999999'],
    ['state', "status = 'APPROVED'"],
  ])('changes no %s of a merchant that the next change would announce', async (_, change) => {
    const merchant = await world.newMerchant();
    const headers = await world.operator();
    const before = await eventsOf(world, merchant.id);

    await insider.query(`UPDATE organizations SET ${change} WHERE id = $1`, [merchant.id]);

    const body = { pixFeeBps: 123 };
    const answers = [
      await changeSettings(world, merchant.id, { headers, body }),
      await world.post(`/v1/admin/merchants/${merchant.id}/suspend`, { reason: 'teste' }, headers),
    ];
    expect(answers.map(({ code }) => code)).toEqual(['INVALID_STATE', 'INVALID_STATE']);
    expect(await world.call('/v1/account', { headers: merchant.bearer })).toMatchObject({ status: 401 });
    expect(await eventsOf(world, merchant.id)).toEqual(before);
  });
});
