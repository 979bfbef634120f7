import { expect, test } from '@jest/globals';
import { webhookEvents } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { announceExpiring } from '../src/store/announce-expiring.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(() => startWorld({ tuning: { clockMaxWaitMs: 0 } }));
const merchant = beforeFile(() => world.approvedMerchant());

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const sweep = (now = new Date()) => world.database.transaction((tx) => announceExpiring(tx, now));
const manage = (method: string, path: string) =>
  world.call(`/v1/api-keys/${path}`, {
    method,
    headers: merchant.bearer,
    ...(method === 'POST' && { body: {} }),
  });
const newKey = (days: number, environment = 'production') =>
  world.newKey(merchant, { environment, name: `loja ${days}`, expiresAt: inDays(days) });

/** Returns the `api_key.expiring` events of a key as merchants receive them. */
async function announced(id: string) {
  const events = (await world.eventsOf(id)).filter(({ type }) => type === 'api_key.expiring');
  return events.map(({ environment, merchantId, sequence, data }) => {
    return { environment, merchantId, sequence, data: webhookEvents['api_key.expiring'].parse(data) };
  });
}

test('concurrent sweeps announce a key once, seven days before its expiry', async () => {
  const { id, key, expiresAt, scopes } = await newKey(8);
  await sweep();
  expect(await announced(id)).toEqual([]);

  const later = new Date(Date.now() + 1.5 * DAY_MS);
  await Promise.all(Array.from({ length: 6 }, () => sweep(later)));
  await sweep(new Date(later.getTime() + DAY_MS));

  const data = { id, name: 'loja 8', maskedKey: `sk_live_********${key.slice(-4)}`, scopes, expiresAt };
  const about = { environment: 'production', merchantId: merchant.id, sequence: 1 };
  expect(await announced(id)).toEqual([{ ...about, data }]);
  expect(JSON.stringify(await world.eventsOf(id))).not.toContain(key);
});

test('a short-lived key is announced at once, an expired one never', async () => {
  const [short, revoked, rotated] = [await newKey(2), await newKey(3), await newKey(4)];
  await manage('DELETE', revoked.id);
  const { json } = await manage('POST', `${rotated.id}/rotate`);
  const ended = await newKey(5);
  await world.database.query(`UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1`, [
    ended.id,
  ]);

  await sweep();

  const counts = [short, revoked, rotated, ended].map(async ({ id }) => (await announced(id)).length);
  expect(await Promise.all(counts)).toEqual([1, 0, 0, 0]);
  const { id: successor = newId() } = Object(json.data);
  expect(await announced(successor)).toHaveLength(1);
});

test('a key is announced after a sweep dies before its commit', async () => {
  const { id } = await newKey(6);
  const dying = world.database.transaction(async (tx) => {
    await announceExpiring(tx, new Date());
    throw new Error('the process died');
  });
  await expect(dying).rejects.toThrow('the process died');
  expect(await announced(id)).toEqual([]);

  await sweep();

  expect(await announced(id)).toHaveLength(1);
});

test('a move of the sandbox clock announces expiring sandbox keys', async () => {
  const [near, far] = [await newKey(20, 'sandbox'), await newKey(20)];

  await world.post('/v1/sandbox/clock', { advance: 'P14D' }, merchant.bearer);

  expect(await announced(near.id)).toMatchObject([{ environment: 'sandbox', data: { id: near.id } }]);
  await sweep();
  expect(await announced(far.id)).toEqual([]);
});
