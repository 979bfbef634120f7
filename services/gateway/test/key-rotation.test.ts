import { describe, expect, test } from '@jest/globals';
import { api, narrowScopes, type Scope, scopes, wideScopes } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { eventually, rounds } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { hashOf, newKey } from '../src/domain/api-key.ts';
import { forceStatus, sharedWorld, verifierOf } from './support/world.ts';

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

    expect(await rotate(id)).toMatchObject({ status: 409, code: 'INVALID_STATE' });
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

/** The columns that a replica of the previous release writes. */
const INSERT = `
  INSERT INTO api_keys
    (id, organization_id, environment, name, key_hash, masked_key, scopes, allowed_ips, created_at,
    expires_at)
  VALUES ($1, $2, 'sandbox', 'loja', $3, '', $4, '{}', now(), NULL)`;

/**
 * Creates an API key as a replica of the previous release does. If `replaced` is given, the new key replaces
 * that key.
 */
async function keyByOldReplica(granted: readonly Scope[], replaced?: string) {
  const [id, key] = [newId(), newKey('sandbox')];
  const replace =
    "UPDATE api_keys SET revoked_at = now() + interval '1 hour', replaced_by = $2 WHERE id = $1";
  await world.database.transaction(async (tx) => {
    if (replaced) await tx.query(replace, [replaced, id]);
    await tx.query(INSERT, [id, merchant.id, hashOf(key), granted]);
  });
  return { id, key };
}

/** Creates an API key as a release without narrow scopes did. */
async function earlierKey(granted: readonly Scope[]) {
  const made = await keyByOldReplica(granted);
  await world.database.query('UPDATE api_keys SET rotates_webhook_secrets = true WHERE id = $1', [made.id]);
  return made;
}

const rotateSecret = async (key: string) =>
  (await world.call(`/v1/webhook-config/${newId()}/rotate-secret`, post(key))).code || 'let through';
const post = (key: string) => ({ method: 'POST', body: {}, headers: { 'x-api-key': key } });

async function rotated(id: string) {
  const { json } = await world.call(`/v1/api-keys/${id}/rotate`, {
    ...{ method: 'POST', headers: merchant.bearer, body: { gracePeriodSeconds: 3_600 } },
  });
  return api.rotateApiKey.data.parse(json.data);
}

async function scopesListed(id: string) {
  const { json } = await world.call('/v1/api-keys?limit=100', { headers: merchant.bearer });
  const list = api.listApiKeys.data.array().parse(json.data);
  return list.find((one) => one.id === id)?.scopes;
}

describe('a new API key', () => {
  test('has its narrow scopes in lists, at services and after rotation', async () => {
    const chosen: Scope[] = ['charges:read', 'refunds:write'];
    const { id, key, scopes: answered } = await world.newKey(merchant, { scopes: chosen });
    await world.call(`/v1/charges/${newId()}/refund`, post(key));
    const sent = String(world.services.charges.last().headers['x-internal-identity']);

    const next = await rotated(id);

    expect([answered, await scopesListed(id), next.scopes]).toEqual([chosen, chosen, chosen]);
    expect(await scopesListed(next.id)).toEqual(chosen);
    expect(verifierOf('charges').verify(sent).identity).toMatchObject({ scopes: chosen });
  });

  test('needs webhooks:write to rotate a webhook’s secret', async () => {
    const { key } = await world.newKey(merchant, { scopes: ['webhooks:write'] });
    const others = scopes.filter((scope) => scope !== 'webhooks:write');
    const all = await world.newKey(merchant, { scopes: others });
    const unchosen = await world.newKey(merchant);

    expect(await rotateSecret(key)).toBe('let through');
    expect(await rotateSecret(all.key)).toBe('INSUFFICIENT_SCOPE');
    expect(await rotateSecret(unchosen.key)).toBe('INSUFFICIENT_SCOPE');
    expect(await rotateSecret((await rotated(unchosen.id)).key)).toBe('INSUFFICIENT_SCOPE');
  });
});

describe('an API key from before narrow scopes', () => {
  test.each<[Scope[], string]>([
    [[...wideScopes], 'let through'],
    [['charges:write'], 'let through'],
    [['withdrawals:write'], 'let through'],
    [['charges:read', 'wallet:read'], 'INSUFFICIENT_SCOPE'],
  ])('with %j rotates a webhook’s secret with the result %s', async (granted, then) => {
    const { id, key } = await earlierKey(granted);
    const shown = then === 'let through' ? [...granted, 'webhooks:write'] : granted;

    const next = await rotated(id);

    expect([await rotateSecret(key), await rotateSecret(next.key)]).toEqual([then, then]);
    expect([await scopesListed(id), next.scopes, await scopesListed(next.id)]).toEqual([shown, shown, shown]);
  });

  test('has webhooks:write, unlike keys that an older replica creates later', async () => {
    const later = await keyByOldReplica(wideScopes);

    expect(await rotateSecret(later.key)).toBe('INSUFFICIENT_SCOPE');
    expect(await scopesListed(later.id)).toEqual(wideScopes);
  });
});

describe('an API key that an older replica rotates', () => {
  test('gets a successor with the same scopes', async () => {
    const narrow = await world.newKey(merchant, { scopes: ['charges:read', 'refunds:write'] });
    const writing = await world.newKey(merchant, { scopes: ['charges:write'] });
    const earlier = await earlierKey(['charges:write']);

    const next = [
      await keyByOldReplica(['charges:read'], narrow.id),
      await keyByOldReplica(['charges:write'], writing.id),
      await keyByOldReplica(['charges:write'], earlier.id),
    ];

    expect(await Promise.all(next.map(({ id }) => scopesListed(id)))).toEqual([
      ['charges:read', 'refunds:write'],
      ['charges:write'],
      ['charges:write', 'webhooks:write'],
    ]);
  });

  test('has only its wide scopes for that replica', async () => {
    const { id } = await world.newKey(merchant, { scopes: ['charges:read', ...narrowScopes] });

    const [row] = await world.database.query('SELECT scopes FROM api_keys WHERE id = $1', [id]);

    expect(row).toEqual({ scopes: ['charges:read'] });
  });
});
