import { describe, expect, test } from '@jest/globals';
import { api, narrowScopes, type Scope, scopes, wideScopes } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { hashOf, newKey } from '../src/domain/api-key.ts';
import { sharedWorld, verifierOf } from './support/world.ts';

const world = worldOfFile(sharedWorld);
const merchant = beforeFile(() => world.approvedMerchant());

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
