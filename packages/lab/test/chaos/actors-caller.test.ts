import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Loopback, startLoopback, WAIT_TIMEOUT_MS } from '@plataforma/testing';
import { type Caller, callerOf } from '../../src/chaos/caller.ts';
import { type History, openHistory } from '../../src/chaos/history.ts';

let platform: Loopback;
let history: History;
let call: Caller;
let shortTimeout: Caller;

beforeEach(async () => {
  platform = await startLoopback(async (request, response) => {
    request.resume();
    if (request.url === '/silent') return;
    const isFound = request.url === '/found';
    response.writeHead(isFound ? 200 : 503).end(isFound ? '{"data":{"id":"a"}}' : 'no JSON');
  });
  history = openHistory();
  const witness = { history, actor: 'probe' };
  const callWithin = (timeoutMs: number) =>
    callerOf(platform.url, { 'x-api-key': 'sk_sandbox_a' }, { timeoutMs, witness });
  call = callWithin(WAIT_TIMEOUT_MS);
  shortTimeout = callWithin(200);
});

afterEach(() => platform.stop());

test('a call is recorded with its request and response', async () => {
  const order = { externalId: 'order-1', amount: 1 };

  const data = await call('POST', '/found', order);

  const sentRequest = {
    actor: 'probe',
    environment: 'sandbox',
    action: 'probe-post',
    path: '/found',
    body: order,
  };
  const intent = { intent: 'order-1', idempotencyKey: null };
  expect(data).toEqual({ id: 'a' });
  expect(history.calls).toEqual([
    expect.objectContaining({ ...sentRequest, ...intent, status: 200, answer: { data: { id: 'a' } } }),
  ]);
});

test('a failed or timed-out call is recorded and throws', async () => {
  await expect(call('GET', '/broken')).rejects.toThrow('503');
  await expect(shortTimeout('GET', '/silent')).rejects.toThrow();

  expect(history.calls.map(({ path, body, status, answer }) => [path, body, status, answer])).toEqual([
    ['/broken', null, 503, null],
    ['/silent', null, null, null],
  ]);
  expect(new Set(history.calls.map(({ intent }) => intent)).size).toBe(2);
});
