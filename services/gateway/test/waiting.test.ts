import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Identity } from '@plataforma/http';
import { type Environment, newId, Refusal } from '@plataforma/kernel';
import { createLog } from '@plataforma/observe';
import { eventually } from '@plataforma/testing';
import { circuitTo } from '../src/http/circuit.ts';
import { type Merchant, startWorld, type World } from './support/world.ts';

let world: World;
let merchant: Merchant;

beforeAll(async () => {
  world = await startWorld();
  merchant = await world.approvedMerchant();
});
afterAll(() => world.stop());

const feed = (query: string, who = merchant) => world.call(`/v1/events?${query}`, { headers: who.bearer });

test('waits of 130 sandboxes leave slots to production', async () => {
  const log = createLog({ service: 'test', level: 'silent' });
  const circuit = circuitTo({ service: 'webhooks', target: world.services.webhooks.url, log });
  const held: ServerResponse[] = [];
  world.services.webhooks.intercept((_req, res) => void held.push(res));
  const tenant = (environment: Environment): Identity => ({
    ...{ kind: 'merchant', merchantId: newId(), environment, scopes: [] },
  });
  const req = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/v1/events?wait=20' });
  const wait = (who: Identity) =>
    circuit.wait(who, req, new ServerResponse(req), { headers: {}, body: null }).then(
      () => 'answered',
      (error: unknown) => (error instanceof Refusal ? 'refused' : 'ended'),
    );
  const sandboxes = Array.from({ length: 130 }, () => tenant('sandbox'));
  const waits = sandboxes.flatMap((who) => [1, 2, 3, 4].map(() => wait(who)));
  await eventually(() => expect(held).toHaveLength(256));

  const production = [1, 2, 3, 4].map(() => wait(tenant('production')));
  await eventually(() => expect(held).toHaveLength(260));

  for (const res of held) res.end('{}');
  const ends = await Promise.all([...waits, ...production]);
  expect(ends.filter((end) => end === 'refused')).toHaveLength(264);
  world.services.webhooks.intercept(undefined);
  await circuit.close();
});

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
