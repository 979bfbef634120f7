import { Agent, request } from 'node:http';
import { expect, test } from '@jest/globals';
import type { Endpoint } from '@plataforma/contracts';
import { actFor } from '@plataforma/observe';
import { echo, send, serving, worldOfFile } from '@plataforma/testing/fixtures';
import { z } from 'zod';
import { serveTo } from '../src/index.ts';

const OTHERS = 'other';
const FLOOD = 60;
const reached: string[] = [];
let onFirst: () => void = () => undefined;

const body = z.looseObject({});
const route = { ...echo, method: 'post', path: '/v1/orders/:id', body } as const satisfies Endpoint;
const callback = { ...route, path: '/v1/callbacks/:id', fromProvider: true } as const satisfies Endpoint;

const server = worldOfFile(() =>
  serving((app) => {
    for (const endpoint of [route, callback]) {
      serveTo(app, endpoint, {
        authenticate: (req) => {
          const merchantId = String(req.headers['x-account']);
          actFor({ merchantId, environment: 'sandbox' });
          return merchantId;
        },
        answer: async (_call, merchantId) => {
          if (reached.push(merchantId) === 1) onFirst();
          return { data: { amount: 100 } };
        },
      });
    }
  }),
);

async function sendJson(path: string, json: string) {
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(json)) };
  const { status, text } = await send(`${server.url}${path}`, { method: 'POST', headers, body: json });
  return { status, message: JSON.parse(text).error?.message };
}

const numbers = (count: number) => `{"list":[${'1,'.repeat(count - 1)}1]}`;

test.each([
  ['a list', numbers(1_000)],
  ['nested lists', `{"list":${'['.repeat(1_000)}${']'.repeat(1_000)}}`],
  ['names', JSON.stringify(Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`k${i}`, 1])))],
  ['values after a text', `{"text":"a\\"[","list":${numbers(999)}}`],
])('a body of more than 1,000 values is refused: %s', async (_name, json) => {
  const message = 'body: must have at most 1,000 values';

  expect(await sendJson('/v1/orders/1', json)).toEqual({ status: 400, message });
});

test.each([
  ['/v1/orders/1', numbers(997)],
  ['/v1/orders/1', JSON.stringify({ text: '[,{'.repeat(3_000), escaped: '\\"[[' })],
  ['/v1/callbacks/1', numbers(5_000)],
])('%s accepts other bodies, and many values from a provider', async (path, json) => {
  expect((await sendJson(path, json)).status).toBe(201);
});

test.each([
  ['long bodies', JSON.stringify({ text: 'x'.repeat(9 * 1024) })],
  ['short bodies of many values', numbers(900)],
])('%s of one account delay no other account', async (_name, long) => {
  onFirst = () => undefined;
  const agent = new Agent({ keepAlive: true, maxSockets: FLOOD + 1 });
  const order = (account: string, json: string) =>
    new Promise<void>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'x-account': account };
      const options = { method: 'POST', agent, headers: { ...headers, 'content-length': json.length } };
      const sent = request(`${server.url}/v1/orders/1`, options, (res) => res.resume().once('end', resolve));
      sent.once('error', reject).end(json);
    });
  // The test opens all connections before the flood begins.
  await Promise.all(Array.from({ length: FLOOD + 1 }, () => order('warm', '{}')));
  reached.length = 0;
  const other = new Promise<void>((resolve, reject) => {
    onFirst = () => order(OTHERS, long).then(resolve, reject);
  });
  await Promise.all([other, ...Array.from({ length: FLOOD }, () => order('flood', long))]);
  agent.destroy();

  expect(reached).toHaveLength(FLOOD + 1);
  expect(reached.indexOf(OTHERS)).toBeLessThan(FLOOD / 2);
});
