import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { createBulkhead, type Identity, pools } from '@plataforma/http';
import { type Environment, newId, Refusal } from '@plataforma/kernel';
import { createLog } from '@plataforma/observe';
import { eventually } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { linkToService } from '../src/http/service-link.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);
const merchant = beforeFile(() => world.approvedMerchant());

const feed = (query: string, who = merchant) => world.call(`/v1/events?${query}`, { headers: who.bearer });

const tenant = (environment: Environment): Identity => ({
  ...{ kind: 'merchant', merchantId: newId(), environment, scopes: [] },
});
const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make);

/**
 * Opens a separate link to the fake webhooks service. The service answers the requests of this link only
 * after `answerAll` or `end`.
 */
function openLink(by: 'buffer' | 'wait') {
  const log = createLog({ service: 'test', level: 'silent' });
  const longAnswers = createBulkhead('longAnswers');
  const link = linkToService({ service: 'webhooks', target: world.services.webhooks.url, log, longAnswers });
  const pending: ServerResponse[] = [];
  const url = '/v1/events?wait=20';
  // Only the requests of this test stay open. All other requests come from the gateway's own schedule, and
  // are answered at once.
  world.services.webhooks.intercept((got, res) => void (got.url === url ? pending.push(res) : res.end('{}')));
  const req = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url });
  return {
    pending,
    send: (who: Parameters<typeof link.wait>[0]) =>
      link[by](who, req, new ServerResponse(req), { headers: {}, body: null }).then(
        () => 'answered',
        (error: unknown) => (error instanceof Refusal ? 'refused' : 'ended'),
      ),
    answerAll() {
      world.services.webhooks.intercept((_req, res) => void res.end('{}'));
      for (const res of pending) res.end('{}');
    },
    async end() {
      for (const res of pending) res.end('{}');
      world.services.webhooks.intercept(undefined);
      await link.close();
    },
  };
}

const refusedOf = async (sent: Promise<string>[]) =>
  (await Promise.all(sent)).filter((end) => end === 'refused').length;

test('waits of 130 sandboxes leave slots to production', async () => {
  const { pending, send, end } = openLink('wait');
  const waits = times(130, () => tenant('sandbox')).flatMap((who) => times(4, () => send(who)));
  await eventually(() => expect(pending).toHaveLength(256));

  const production = times(4, () => send(tenant('production')));
  await eventually(() => expect(pending).toHaveLength(260));
  await end();
  expect(await refusedOf([...waits, ...production])).toBe(264);
});

test('requests of 300 sandboxes leave slots to production', async () => {
  const { pending, send, end } = openLink('buffer');
  const sandboxes = times(300, () => send(tenant('sandbox')));
  await eventually(() => expect(pending).toHaveLength(256));

  const production = times(256, () => send(tenant('production')));
  await eventually(() => expect(pending).toHaveLength(512));
  await end();
  expect(await refusedOf([...sandboxes, ...production])).toBe(44);
});

const network = (number: number, pool: 'buyers' | 'buyerReads' | 'callbacks') => ({
  network: `192.0.2.${number}`,
  pool,
});

test('buyers of one network fill only its share', async () => {
  const { pending, send, end } = openLink('buffer');
  const { perHolder, waiting } = pools.buyers;
  const crowd = times(perHolder + waiting.perHolder + 10, () => send(network(1, 'buyers')));
  await eventually(() => expect(pending).toHaveLength(perHolder));

  const others = [
    send(network(2, 'buyers')),
    send(network(1, 'callbacks')),
    send(tenant('production')),
    send(tenant('sandbox')),
  ];
  await eventually(() => expect(pending).toHaveLength(perHolder + others.length));
  await end();
  expect(await refusedOf(others)).toBe(0);
  expect(await refusedOf(crowd)).toBeGreaterThanOrEqual(10);
});

test.each(['buyers', 'buyerReads'] as const)(
  '200 requests of one network in %s are all answered',
  async (pool) => {
    const { pending, send, end, answerAll } = openLink('buffer');
    const buyers = times(200, () => send(network(1, pool)));
    await eventually(() => expect(pending).toHaveLength(pools[pool].perHolder));

    answerAll();
    expect(await refusedOf(buyers)).toBe(0);
    await end();
  },
);

test('long polls have own slots: the fifth is refused, others succeed', async () => {
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
