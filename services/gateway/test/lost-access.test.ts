import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { operatorAs } from './support/operators.ts';
import { type Own, ownSessionsIn } from './support/own-sessions.ts';
import { send } from './support/send.ts';
import { type Merchant, startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);
const replica = beforeFile(() => world.startReplica());

const { end, change, logIn } = ownSessionsIn(world);

describe('a waiting request', () => {
  const ends: [string, (own: Own, stolen: Own, merchant: Merchant) => Promise<unknown>][] = [
    [
      'its log-out',
      (_own, stolen) => world.call('/v1/auth/logout', { method: 'POST', headers: stolen.bearer }),
    ],
    ['the end of its session', (own, stolen) => end(own, stolen.id)],
    ['the end of all other sessions', (own) => end(own)],
    ['a password change', (own, _stolen, { password }) => change(own, password)],
  ];

  test.each(ends)('ends at once on another replica after %s', async (_what, act) => {
    const merchant = await world.newMerchant();
    const [own, stolen] = [await logIn(merchant), await logIn(merchant)];
    const { webhooks } = world.services;
    let waiting = 0;
    webhooks.intercept(() => {
      waiting += 1;
    });
    const path = `${replica.url}/v1/events?order=asc&wait=20`;
    const polls = [stolen, own].map(({ bearer }) => send(path, { headers: bearer }));
    await eventually(() => expect(waiting).toBe(2));
    webhooks.intercept(undefined);

    await act(own, stolen, merchant);

    const { status, code } = (await polls[0]) ?? {};
    expect([status, code]).toEqual([401, 'INVALID_TOKEN']);
    await end(own, own.id);
    expect((await polls[1])?.code).toBe('INVALID_TOKEN');
  });
});

test('an unfinished file is cut off when its session ends', async () => {
  const merchant = await world.newMerchant();
  const [own, stolen] = [await logIn(merchant), await logIn(merchant)];
  const { charges } = world.services;
  let isCutOff = false;
  charges.intercept((_req, res) => {
    res.writeHead(200, { 'content-type': 'text/csv' }).write('first line\n');
    res.once('close', () => {
      isCutOff = true;
    });
  });
  const headers = { ...stolen.bearer, accept: 'text/csv' };
  const file = await fetch(`${replica.url}/v1/charges`, { headers });
  charges.intercept(undefined);

  await end(own, stolen.id);

  await expect(file.text()).rejects.toThrow('terminated');
  await eventually(() => expect(isCutOff).toBe(true));
});

test('an operator’s file is cut off at once when the session ends', async () => {
  const { id, headers } = await operatorAs(world, 'ADMIN');
  const { charges } = world.services;
  charges.intercept((_req, res) => {
    res.writeHead(200, { 'content-type': 'application/octet-stream' }).write('first bytes');
  });
  const file = await fetch(`${replica.url}/v1/admin/files/${newId()}`, {
    headers: { ...headers, accept: 'application/octet-stream' },
  });
  charges.intercept(undefined);

  const answer = await world.call(`/v1/admin/operators/${id}/sessions`, { method: 'DELETE', headers });

  expect([file.status, answer.json.data]).toEqual([200, { ended: 1 }]);
  await expect(file.text()).rejects.toThrow('terminated');
});

test('a revoked API key ends its long polls and files', async () => {
  const merchant = await world.approvedMerchant();
  const { id, key } = await world.newKey(merchant, { scopes: ['charges:read'] });
  const { webhooks, charges } = world.services;
  let waiting = 0;
  webhooks.intercept(() => {
    waiting += 1;
  });
  charges.intercept((_req, res) => {
    res.writeHead(200, { 'content-type': 'text/csv' }).write('first line\n');
  });
  const headers = { 'x-api-key': key };
  const poll = send(`${replica.url}/v1/events?order=asc&wait=20`, { headers });
  const file = await fetch(`${replica.url}/v1/charges`, { headers: { ...headers, accept: 'text/csv' } });
  await eventually(() => expect(waiting).toBe(1));
  webhooks.intercept(undefined);
  charges.intercept(undefined);

  await world.call(`/v1/api-keys/${id}`, { method: 'DELETE', headers: merchant.bearer });

  await expect(file.text()).rejects.toThrow('terminated');
  expect((await poll).code).toBe('API_KEY_REVOKED');
});
