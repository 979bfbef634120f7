import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { rounds } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { type Merchant, startWorld } from './support/world.ts';

const LIMIT = 100;
const DAY_MS = 86_400_000;

const world = worldOfFile(() => startWorld({ tuning: { clockMaxWaitMs: 300 } }));

const create = (who: Merchant, environment = 'sandbox') =>
  world.post('/v1/api-keys', { name: 'loja', environment }, who.bearer);
const rotate = (who: Merchant, id: string, gracePeriodSeconds: number) =>
  world.post(`/v1/api-keys/${id}/rotate`, { gracePeriodSeconds }, who.bearer);

const moveBy = (who: Merchant, advance: string) => world.post('/v1/sandbox/clock', { advance }, who.bearer);

/** Inserts API keys of a merchant. Each key is one second older than the key before. */
async function insertKeys({ id }: Merchant, count: number, revokedAt: Date | null): Promise<string[]> {
  const ids = Array.from({ length: count }, newId);
  await world.database.query(
    `INSERT INTO api_keys (id, organization_id, environment, name, key_hash, masked_key, scopes, allowed_ips,
       created_at, revoked_at)
     SELECT key.id, $1, 'sandbox', 'loja', key.id, '', '{}', '{}', now() - key.n * interval '1 second', $3
     FROM unnest($2::uuid[]) WITH ORDINALITY AS key (id, n)`,
    [id, ids, revokedAt],
  );
  return ids;
}

/** Creates a merchant with `count` valid API keys, and returns the id of one key. */
async function merchantWithKeys(count: number): Promise<{ merchant: Merchant; id: string }> {
  const merchant = await world.newMerchant();
  const { id } = await world.newKey(merchant);
  await insertKeys(merchant, count - 1, null);
  return { merchant, id };
}

test('the list pages through active and ended keys in one order', async () => {
  const { merchant, id } = await merchantWithKeys(1);
  const ended = await insertKeys(merchant, 30, new Date());
  const stranger = await merchantWithKeys(2);
  const pageOf = (query: string, who = merchant) =>
    world.call(`/v1/api-keys${query}`, { headers: who.bearer });
  const idsOn = ({ json }: Awaited<ReturnType<typeof pageOf>>) =>
    api.listApiKeys.data
      .array()
      .parse(json.data)
      .map((key) => key.id);

  const first = await pageOf('');
  const second = await pageOf('?page=2');
  const whole = await pageOf('?limit=100');
  const beyond = await pageOf('?page=3');

  expect(idsOn(first)).toEqual([id, ...ended.slice(0, 19)]);
  expect(idsOn(second)).toEqual(ended.slice(19));
  expect(idsOn(whole)).toEqual([id, ...ended]);
  expect(idsOn(beyond)).toEqual([]);
  expect(first.json.meta).toEqual({ total: 31, page: 1, limit: 20, pages: 2, next: expect.any(String) });
  expect(whole.json.meta).toEqual({ total: 31, page: 1, limit: 100, pages: 1 });
  expect((await pageOf('', stranger.merchant)).json.meta).toMatchObject({ total: 2 });
  expect((await pageOf('?limit=101')).json.error?.message).toMatch(/^limit: /);
});

describe('an organization', () => {
  test('has at most a hundred active keys; ended keys free places', async () => {
    const { merchant, id } = await merchantWithKeys(LIMIT);

    const full = await create(merchant);
    await world.call(`/v1/api-keys/${id}`, { method: 'DELETE', headers: merchant.bearer });
    const afterRevoking = await create(merchant);
    const ended = "UPDATE api_keys SET expires_at = now() - interval '1 hour' WHERE id = $1";
    await world.database.query(ended, [Object(afterRevoking.json.data).id]);
    const afterExpiry = await create(merchant);

    expect([full.status, full.code]).toEqual([422, 'API_KEY_LIMIT_REACHED']);
    expect([afterRevoking.status, afterExpiry.status, (await create(merchant)).status]).toEqual([
      201, 201, 422,
    ]);
  });

  test('at its limit rotates a key only without a grace period', async () => {
    const { merchant, id } = await merchantWithKeys(LIMIT);

    const withGrace = await rotate(merchant, id, 60);
    const atOnce = await rotate(merchant, id, 0);

    expect([withGrace.code, atOnce.status]).toEqual(['API_KEY_LIMIT_REACHED', 201]);
  });

  test('counts a key in its grace period', async () => {
    const { merchant, id } = await merchantWithKeys(LIMIT - 1);

    const rotated = await rotate(merchant, id, 60);

    expect([rotated.status, (await create(merchant)).code]).toEqual([201, 'API_KEY_LIMIT_REACHED']);
  });

  test('counts sandbox keys by the sandbox clock, production keys by real time', async () => {
    const merchant = await world.approvedMerchant();
    const inThreeDays = new Date(Date.now() + 3 * DAY_MS).toISOString();
    const [ending, rotated] = [await world.newKey(merchant), await world.newKey(merchant)];
    await world.newKey(merchant, { environment: 'production', expiresAt: inThreeDays });
    await insertKeys(merchant, LIMIT - 4, null);
    await rotate(merchant, ending.id, 60);
    expect((await create(merchant, 'production')).code).toBe('API_KEY_LIMIT_REACHED');

    await moveBy(merchant, 'P10D');
    const afterGrace = await create(merchant, 'production');
    const full = await create(merchant, 'production');
    await rotate(merchant, rotated.id, 0);
    const stillFull = await create(merchant, 'production');

    expect([afterGrace.status, full.code, stillFull.code]).toEqual([
      201,
      'API_KEY_LIMIT_REACHED',
      'API_KEY_LIMIT_REACHED',
    ]);
  });

  test(`gets only the free places in concurrent requests, ${rounds(20)} times`, async () => {
    const { merchant } = await merchantWithKeys(LIMIT - 2);

    for (let round = 0; round < rounds(20); round += 1) {
      const answers = await Promise.all(Array.from({ length: 6 }, () => create(merchant)));

      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 422, 422, 422, 422]);
      for (const { json } of answers.filter(({ status }) => status === 201)) {
        const { id } = Object(json.data);
        await world.call(`/v1/api-keys/${id}`, { method: 'DELETE', headers: merchant.bearer });
      }
    }
  });
});
