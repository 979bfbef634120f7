import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { eventually, rounds } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { forceStatus, sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);
const merchant = beforeFile(() => world.approvedMerchant());

const rotate = (id: string, body: unknown = {}, who = merchant) =>
  world.post(`/v1/api-keys/${id}/rotate`, body, who.bearer);
const revoke = (id: string) =>
  world.call(`/v1/api-keys/${id}`, { method: 'DELETE', headers: merchant.bearer });
const use = (key: string) => world.call('/v1/balance', { headers: { 'x-api-key': key } });
const minted = (json: { data?: unknown }) => api.rotateApiKey.data.parse(json.data);

async function listed(id: string, who = merchant) {
  const { json } = await world.call('/v1/api-keys', { headers: who.bearer });
  return api.listApiKeys.data
    .array()
    .parse(json.data)
    .find((one) => one.id === id);
}

async function isRefusedSoon(key: string): Promise<void> {
  await eventually(async () => expect((await use(key)).code).toBe('API_KEY_REVOKED'));
}

describe('the rotation of an API key', () => {
  test('ends the key and creates one with equal rights', async () => {
    const chosen = {
      name: 'só leitura',
      environment: 'production',
      scopes: ['wallet:read'],
      allowedIps: ['127.0.0.1', '::1'],
      expiresAt: '2099-01-01T00:00:00.000Z',
    };
    const old = await world.newKey(merchant, chosen);
    await use(old.key);

    const { status, json } = await rotate(old.id);

    const fresh = minted(json);
    expect([status, fresh]).toMatchObject([201, chosen]);
    expect(fresh.id).not.toBe(old.id);
    expect((await use(fresh.key)).status).toBe(200);
    await isRefusedSoon(old.key);
    expect(await listed(old.id)).toMatchObject({ replacedBy: fresh.id, revokedAt: fresh.createdAt });
    expect(await listed(fresh.id)).toMatchObject({ replacedBy: null, revokedAt: null });
  });

  test('lets the key work for its grace period, as listed', async () => {
    const old = await world.newKey(merchant);

    const fresh = minted((await rotate(old.id, { gracePeriodSeconds: 3_600 })).json);

    const end = new Date(new Date(fresh.createdAt).getTime() + 3_600_000).toISOString();
    expect(await listed(old.id)).toMatchObject({ replacedBy: fresh.id, revokedAt: end });
    expect([(await use(old.key)).status, (await use(fresh.key)).status]).toEqual([200, 200]);
  });

  test('ends the key after its grace period', async () => {
    const old = await world.newKey(merchant);
    await rotate(old.id, { gracePeriodSeconds: 3_600 });
    await world.database.query(
      "UPDATE api_keys SET revoked_at = now() + interval '400 milliseconds' WHERE id = $1",
      [old.id],
    );

    await isRefusedSoon(old.key);
  });

  test('lets a revocation end the key in its grace period', async () => {
    const old = await world.newKey(merchant);
    const fresh = minted((await rotate(old.id, { gracePeriodSeconds: 604_800 })).json);

    const { status } = await revoke(old.id);

    const revokedAt = (await listed(old.id))?.revokedAt ?? '';
    expect(status).toBe(200);
    expect(new Date(revokedAt).getTime()).toBeLessThan(Date.now() + 3_600_000);
    await isRefusedSoon(old.key);
    expect((await use(fresh.key)).status).toBe(200);
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['was revoked', revoke],
    ['was rotated', (id) => rotate(id)],
    ['is in its grace period', (id) => rotate(id, { gracePeriodSeconds: 60 })],
    [
      'has expired',
      (id) => world.database.query('UPDATE api_keys SET expires_at = now() WHERE id = $1', [id]),
    ],
  ])('refuses a key that %s', async (_what, end) => {
    const { id } = await world.newKey(merchant);
    await end(id);

    const { status, code } = await rotate(id);

    expect([status, code]).toEqual([409, 'INVALID_STATE']);
  });

  test('needs a merchant with the right to such a key', async () => {
    const barred = await world.approvedMerchant();
    const live = await world.newKey(barred, { environment: 'production' });
    const sandbox = await world.newKey(barred);
    await forceStatus(world, barred.id, 'PENDING');
    const pending = [await rotate(live.id, {}, barred), await rotate(sandbox.id, {}, barred)];
    await forceStatus(world, barred.id, 'SUSPENDED');
    const suspended = [await rotate(live.id, {}, barred), await rotate(sandbox.id, {}, barred)];

    expect(pending.map(({ code }) => code)).toEqual(['MERCHANT_NOT_APPROVED', '']);
    expect(suspended.map(({ code }) => code)).toEqual(['MERCHANT_SUSPENDED', 'INVALID_STATE']);
    expect(await listed(live.id, barred)).toMatchObject({ revokedAt: null, replacedBy: null });
  });

  test('refuses unknown keys and keys of other merchants', async () => {
    const stranger = await world.newMerchant();
    const { id } = await world.newKey(merchant);

    const codes = [await rotate(id, {}, stranger), await rotate(newId()), await rotate('x')].map(
      ({ code }) => code,
    );

    expect(codes).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
    expect(await listed(id)).toMatchObject({ revokedAt: null });
  });

  test.each([-1, 604_801, 1.5, '60'])('refuses a grace period of %j', async (gracePeriodSeconds) => {
    const { id } = await world.newKey(merchant);

    const { status, json } = await rotate(id, { gracePeriodSeconds });

    expect([status, json.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(json.error?.message).toMatch(/^gracePeriodSeconds: /);
  });

  test(`happens once for concurrent requests, ${rounds(20)} times`, async () => {
    for (let round = 0; round < rounds(20); round += 1) {
      const { id } = await world.newKey(merchant);

      const answers = await Promise.all([rotate(id), rotate(id, { gracePeriodSeconds: 60 }), rotate(id)]);

      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
      const fresh = answers.find(({ status }) => status === 201);
      expect(await listed(id)).toMatchObject({ replacedBy: minted(fresh?.json ?? {}).id });
    }
  });

  test(`at the same time as a revocation ends the key, ${rounds(20)} times`, async () => {
    for (let round = 0; round < rounds(20); round += 1) {
      const { id } = await world.newKey(merchant);

      const [rotated, revoked] = await Promise.all([rotate(id, { gracePeriodSeconds: 604_800 }), revoke(id)]);

      const old = await listed(id);
      expect(revoked.status).toBe(200);
      expect(old?.replacedBy).toBe(rotated.status === 201 ? minted(rotated.json).id : null);
      expect(new Date(old?.revokedAt ?? '').getTime()).toBeLessThan(Date.now() + 3_600_000);
      if (rotated.status === 201) await revoke(minted(rotated.json).id);
    }
  });
});
