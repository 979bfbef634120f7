import { expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { worldOfFile } from '@plataforma/testing/world';
import { startWorld } from './support/world.ts';

const small = worldOfFile(() => startWorld({ settings: { SANDBOX_WRITES_PER_DAY: '6' } }));

test('a sandbox stores data up to its limit of a day, and reads beyond it', async () => {
  const [busy, other] = [await small.approvedMerchant(), await small.newMerchant()];
  const [test1, test2] = [await small.newKey(busy), await small.newKey(busy)];
  const live = await small.newKey(busy, { environment: 'production' });
  const others = await small.newKey(other);
  const write = ({ key }: { key: string }) =>
    small.call('/v1/charges', { method: 'POST', headers: { 'x-api-key': key }, body: {} });
  const statuses: number[] = [];
  for (let round = 0; round < 4; round += 1)
    for (const key of [test1, test2]) statuses.push((await write(key)).status);
  const refused = await write(test1);

  expect([statuses.slice(0, 6).includes(429), statuses[6], refused.status]).toEqual([false, 429, 429]);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_600);
  const read = await small.call('/v1/charges', { headers: { 'x-api-key': test1.key } });
  expect([read.status, (await write(live)).status, (await write(others)).status]).not.toContain(429);
});

const paint = ({ bearer }: { bearer: Record<string, string> }, checkoutColor: string) =>
  small.call('/v1/account', { method: 'PATCH', headers: bearer, body: { checkoutColor } });

test('a session has half of its account’s changes of a day, and then reads and revokes', async () => {
  const [busy, other] = [await small.newMerchant(), await small.newMerchant()];
  const { id } = await small.newKey(busy);
  const statuses = [await paint(busy, '#111111'), await paint(busy, '#222222')].map(({ status }) => status);
  const refused = await paint(busy, '#333333');

  expect([...statuses, refused.status]).toEqual([200, 200, 429]);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_600);
  const more = { headers: busy.bearer };
  const read = await small.call('/v1/account', more);
  const revoked = await small.call(`/v1/api-keys/${id}`, { ...more, method: 'DELETE' });
  const left = await small.call('/v1/auth/logout', { ...more, method: 'POST' });
  expect([read, revoked, left, await paint(other, '#444444')].map(({ status }) => status)).toEqual([
    ...[200, 200, 200, 200],
  ]);
});

test('a thief with a session leaves its owner changes, the password and the end of sessions', async () => {
  const thief = await small.newMerchant();
  for (const color of ['#111111', '#222222', '#333333', '#444444', '#555555', '#666666'])
    await paint(thief, color);
  const { email, password } = thief;
  const { json } = await small.call('/v1/auth/login', { method: 'POST', body: { email, password } });
  const { accessToken } = api.logIn.data.parse(json.data);
  const owner = { bearer: { authorization: `Bearer ${accessToken}` } };

  const statuses = [];
  for (const color of ['#777777', '#888888', '#999999', '#aaaaaa'])
    statuses.push((await paint(owner, color)).status);
  const ended = await small.call('/v1/auth/sessions', { method: 'DELETE', headers: owner.bearer });
  const changed = await small.call('/v1/auth/password', {
    ...{ method: 'POST', headers: owner.bearer },
    body: { currentPassword: password, newPassword: 'outra senha bem longa' },
  });

  expect(statuses).toEqual([200, 200, 200, 429]);
  expect([ended.status, changed.status, (await paint(thief, '#bbbbbb')).status]).toEqual([200, 200, 401]);
});
