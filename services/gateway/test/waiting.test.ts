import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { type Merchant, startWorld, type World } from './support/world.ts';

let world: World;
let merchant: Merchant;

beforeAll(async () => {
  world = await startWorld();
  merchant = await world.approvedMerchant();
});
afterAll(() => world.stop());

const feed = (query: string, who = merchant) => world.call(`/v1/events?${query}`, { headers: who.bearer });

test('requests that wait have slots of their own: the fifth is refused at once, and other requests are answered', async () => {
  const { webhooks } = world.services;
  const waiting: ServerResponse[] = [];
  const answer = (res: ServerResponse) =>
    res.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true,"data":{}}');
  webhooks.intercept((req, res) => {
    if (req.url?.includes('wait=')) waiting.push(res);
    else answer(res);
  });

  const waits = [1, 2, 3, 4].map(() => feed('order=asc&wait=20'));
  await eventually(() => expect(waiting).toHaveLength(4));
  const refused = await feed('order=asc&wait=20');
  const other = await world.approvedMerchant();
  const ofOther = feed('wait=20&order=asc', other);
  await eventually(() => expect(waiting).toHaveLength(5));

  expect([refused.status, refused.json.error?.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect((await feed('order=asc')).status).toBe(200);
  for (const res of waiting) answer(res);
  const answered = await Promise.all([...waits, ofOther]);
  expect(answered.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  webhooks.intercept(undefined);
});
