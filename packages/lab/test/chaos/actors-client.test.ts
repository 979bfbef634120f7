import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Loopback, startLoopback } from '@plataforma/testing';
import { Pool } from 'undici';
import { type Client, type ClientRequest, clientOf } from '../../src/chaos/actors/client.ts';
import { fixed, renewable } from '../../src/chaos/actors/credentials.ts';
import { paceOf } from '../../src/chaos/actors/pace.ts';
import { type History, openHistory } from '../../src/chaos/history.ts';

type Answering = (response: ServerResponse) => void;

let platform: Loopback;
let pool: Pool;
let history: History;
let client: Client;
let requests: IncomingMessage[];
/** The responses to the next requests, in order. The last response is also used for all further requests. */
let answers: Answering[];

const json =
  (status: number, body: object, headers = {}): Answering =>
  (response) =>
    response.writeHead(status, headers).end(JSON.stringify(body));
const done = json(201, { success: true, data: { id: 'a' } });
const failing = (status: number, code: string, headers = {}) =>
  json(status, { success: false, error: { code, message: 'no' } }, headers);
const unavailable = failing(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' });
const reset: Answering = (response) => response.socket?.resetAndDestroy();

beforeEach(async () => {
  requests = [];
  platform = await startLoopback(async (request, response) => {
    requests.push(request);
    request.resume();
    const [next = done] = answers.length > 1 ? answers.splice(0, 1) : answers;
    next(response);
  });
  pool = new Pool(platform.url);
  history = openHistory();
  const line = { pool, history, pace: paceOf(1_000) };
  client = clientOf(line, 'merchant 1', fixed({ 'x-api-key': 'first' }));
});

afterEach(async () => {
  await pool.destroy();
  await platform.stop();
});

const order: ClientRequest = {
  action: 'create-charge',
  method: 'POST',
  path: '/v1/charges',
  body: { amount: 100 },
  intent: 'an intent',
  again: 'by key',
};

const statuses = () => history.calls.map(({ status }) => status);

describe('a client', () => {
  test('retries with the same key and records every answer', async () => {
    answers = [reset, unavailable, failing(409, 'REQUEST_IN_PROGRESS'), done];

    const answer = await client.ask(order);

    expect(answer).toMatchObject({ status: 201, isDone: true, data: { id: 'a' } });
    expect(statuses()).toEqual([null, 503, 409, 201]);
    expect(requests.map(({ headers }) => headers['idempotency-key'])).toEqual(Array(4).fill('an intent'));
    expect(history.calls[3]).toEqual({
      number: 4,
      actor: 'merchant 1',
      action: 'create-charge',
      intent: 'an intent',
      method: 'POST',
      path: '/v1/charges',
      idempotencyKey: 'an intent',
      body: { amount: 100 },
      startedAt: expect.any(Number),
      endedAt: expect.any(Number),
      status: 201,
      answer: { success: true, data: { id: 'a' } },
    });
  });

  test('retries an idempotent request without a key', async () => {
    answers = [unavailable, done];

    await client.ask({ ...order, again: 'as it is' });

    expect(statuses()).toEqual([503, 201]);
    expect(requests[0]?.headers).not.toHaveProperty('idempotency-key');
  });

  test.each([
    ['no answer', reset, null],
    ['a 503', unavailable, 503],
  ])('does not repeat an unsafe request after %s', async (_what, answering, status) => {
    answers = [answering, done];

    const answer = await client.ask({ ...order, again: 'never' });

    expect(answer).toMatchObject({ status, isDone: false });
    expect(statuses()).toEqual([status]);
  });

  test('accepts a refusal as the final answer', async () => {
    answers = [failing(422, 'INSUFFICIENT_BALANCE')];

    expect(await client.ask(order)).toMatchObject({ status: 422, code: 'INSUFFICIENT_BALANCE' });
    expect(statuses()).toEqual([422]);
  });

  test('records a status without JSON, and nothing of broken answers', async () => {
    const breakingOff: Answering = (response) => {
      response.writeHead(201, { 'content-length': 100 }).write('{"data":');
      setTimeout(() => reset(response), 50);
    };
    answers = [breakingOff, (response) => response.writeHead(200).end('<html>')];

    await client.ask(order);

    expect(history.calls.map(({ status, answer }) => [status, answer])).toEqual([
      [null, null],
      [200, null],
    ]);
  });

  test('replaces a revoked key, once for parallel requests', async () => {
    let made = 0;
    const ring = renewable('first', {
      headersOf: (key) => ({ 'x-api-key': key }),
      async obtain() {
        made += 1;
        return 'second';
      },
    });
    answers = [failing(401, 'API_KEY_REVOKED'), failing(401, 'API_KEY_REVOKED'), done];

    const holder = client.as(ring);
    const both = await Promise.all([holder.ask(order), holder.ask({ ...order, intent: 'another' })]);

    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    expect(made).toBe(1);
    expect(requests.map(({ headers }) => headers['x-api-key'])).toEqual([
      'first',
      'first',
      'second',
      'second',
    ]);
  });

  test('with an irreplaceable key accepts a 401 as the answer', async () => {
    answers = [failing(401, 'API_KEY_REVOKED')];

    expect(await client.read('use-ended-key', '/v1/balance')).toMatchObject({ status: 401 });
    expect(statuses()).toEqual([401]);
  });
});
