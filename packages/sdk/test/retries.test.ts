import { describe, expect, test } from '@jest/globals';
import {
  ApiError,
  CardDeclinedError,
  ConnectionError,
  TimeoutError,
  UnknownOutcomeError,
} from '../src/index.ts';
import { done, refused, sdkAnsweredBy, unreachable } from './support/fake-api.ts';

const order = { amount: 2500, externalId: 'order-1001', payerName: 'Maria', payerDocument: '12345678909' };
const payout = { amount: 15_000, destinationId: 'd' };
const soon = { 'retry-after': '0' };
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a retry', () => {
  test.each([
    ['a network fault', unreachable],
    ['408', refused(408, 'REQUEST_TIMEOUT', soon)],
    ['429', refused(429, 'RATE_LIMITED', soon)],
    ['503', refused(503, 'SERVICE_UNAVAILABLE', soon)],
    ['REQUEST_IN_PROGRESS', refused(409, 'REQUEST_IN_PROGRESS', soon)],
    ['a proxy’s own answer', async () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
  ])('after %s has the same Idempotency-Key', async (_what, answer) => {
    const { plataforma, sent } = sdkAnsweredBy([answer, done({ id: 'c' })]);

    expect(await plataforma.charges.create(order)).toEqual({ id: 'c' });

    const [first, second, ...more] = sent.map(({ headers, body }) => [headers.get('idempotency-key'), body]);
    expect(more).toEqual([]);
    expect(first?.[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toEqual(first);
  });

  test('happens at most twice, or as often as configured', async () => {
    const { plataforma, sent } = sdkAnsweredBy([refused(503, 'SERVICE_UNAVAILABLE', soon)]);

    await expect(plataforma.wallet.balance()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(sent).toHaveLength(3);

    await expect(plataforma.wallet.balance({}, { maxRetries: 0 })).rejects.toThrow(ApiError);
    expect(sent).toHaveLength(4);
  });

  test('uses a key per call, or the caller’s key', async () => {
    const { plataforma, sent } = sdkAnsweredBy([done()]);

    await plataforma.charges.create(order);
    await plataforma.charges.create(order);
    await plataforma.charges.create(order, { idempotencyKey: 'mine' });

    const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe('mine');
  });

  test('uses the caller’s Idempotency-Key header in any case', async () => {
    const { plataforma, sent } = sdkAnsweredBy([unreachable, done()]);

    await plataforma.charges.create(order, { headers: { 'Idempotency-Key': 'mine', ACCEPT: 'text/plain' } });

    expect(sent.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['mine', 'mine']);
    expect(sent[0]?.headers.get('accept')).toBe('text/plain');
  });
});

describe('a single attempt', () => {
  test('is made when the API refuses a call', async () => {
    const { plataforma, sent } = sdkAnsweredBy([refused(422, 'INSUFFICIENT_BALANCE')]);

    await expect(plataforma.withdrawals.create(payout)).rejects.toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
      idempotencyKey: sent[0]?.headers.get('idempotency-key'),
    });
    expect(sent).toHaveLength(1);
  });

  test('is made for a change without an Idempotency-Key', async () => {
    const { plataforma, sent } = sdkAnsweredBy([unreachable]);

    await expect(plataforma.webhooks.update('w', { isActive: false })).rejects.toThrow(ConnectionError);
    await expect(plataforma.sandbox.withdrawals.approve('w')).rejects.toThrow(ConnectionError);
    expect(sent).toHaveLength(2);
  });

  test('is made when the wait exceeds a minute', async () => {
    const { plataforma, sent } = sdkAnsweredBy([refused(429, 'RATE_LIMITED', { 'retry-after': '61' })]);

    await expect(plataforma.wallet.balance()).rejects.toMatchObject({ retryAfter: 61 });
    expect(sent).toHaveLength(1);
  });

  test('is made when the caller aborts the wait', async () => {
    const { plataforma, sent } = sdkAnsweredBy([
      refused(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '30' }),
    ]);
    const signal = AbortSignal.timeout(50);

    expect(await failure(plataforma.wallet.balance({}, { signal }))).toMatchObject({ name: 'TimeoutError' });
    expect(sent).toHaveLength(1);
  });
});

describe('the error of a call', () => {
  test('without an answer contains the idempotency key', async () => {
    const { plataforma, sent } = sdkAnsweredBy([unreachable], { maxRetries: 1 });

    const error = await failure(plataforma.withdrawals.create(payout));

    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ idempotencyKey: sent[0]?.headers.get('idempotency-key') });
    expect(sent).toHaveLength(2);
  });

  test('after a timeout is a ConnectionError with the key', async () => {
    const { plataforma } = sdkAnsweredBy([], {
      ...{ timeoutMs: 20, maxRetries: 0 },
      fetch: (_url, init) =>
        new Promise((_, reject) =>
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
        ),
    });

    const error = await failure(plataforma.withdrawals.create(payout, { idempotencyKey: 'mine' }));

    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ name: 'TimeoutError', idempotencyKey: 'mine' });
  });

  test('for a declined card contains the reason', async () => {
    const error = { code: 'CARD_DECLINED', message: 'the card was declined', reason: 'insufficient_funds' };
    const { plataforma } = sdkAnsweredBy([() => Response.json({ success: false, error }, { status: 402 })]);

    const thrown = await failure(plataforma.charges.create(order));

    expect(thrown).toBeInstanceOf(CardDeclinedError);
    expect(thrown).toMatchObject({ name: 'CardDeclinedError', reason: 'insufficient_funds', status: 402 });
  });

  test('for a missing id is thrown before a request', () => {
    const { plataforma, sent } = sdkAnsweredBy([done()]);

    for (const id of ['', '.', '..']) expect(() => plataforma.charges.cancel(id)).toThrow(TypeError);
    expect(sent).toHaveLength(0);
  });
});

describe('a change with an unknown outcome', () => {
  const mine = { idempotencyKey: 'mine' };
  const later = refused(429, 'RATE_LIMITED', { 'retry-after': '120' });

  test.each([
    ['no answer, then a refusal', [unreachable, later], 'RATE_LIMITED'],
    ['503, then a refusal', [refused(503, 'SERVICE_UNAVAILABLE', soon), later], 'RATE_LIMITED'],
    [
      'REQUEST_IN_PROGRESS on every attempt',
      [refused(409, 'REQUEST_IN_PROGRESS', soon)],
      'REQUEST_IN_PROGRESS',
    ],
    ['408 on every attempt', [refused(408, 'REQUEST_TIMEOUT', soon)], 'REQUEST_TIMEOUT'],
    ['500', [refused(500, 'INTERNAL_ERROR')], 'INTERNAL_ERROR'],
  ])('throws its key after %s', async (_what, answers, code) => {
    const { plataforma } = sdkAnsweredBy(answers);

    const error = await failure(plataforma.withdrawals.create(payout, mine));

    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ name: 'UnknownOutcomeError', ...mine, cause: { code } });
  });

  test('throws its key when the caller aborts', async () => {
    const underWay = new AbortController();
    const never: typeof fetch = (_url, init) =>
      new Promise((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        underWay.abort(new Error('enough'));
      });
    const { plataforma } = sdkAnsweredBy([], { fetch: never });
    const { signal } = underWay;

    const error = await failure(plataforma.withdrawals.create(payout, { ...mine, signal }));
    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(error).toMatchObject({ ...mine, cause: { message: 'enough' } });

    const waiting = sdkAnsweredBy([refused(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '30' })]).plataforma;
    const given = { ...mine, signal: AbortSignal.timeout(50) };
    expect(await failure(waiting.withdrawals.create(payout, given))).toMatchObject({
      ...{ name: 'UnknownOutcomeError', ...mine },
      cause: { name: 'TimeoutError' },
    });
  });

  test('is not reported for an unsent or refused change', async () => {
    const { plataforma, sent } = sdkAnsweredBy([refused(429, 'RATE_LIMITED', { 'retry-after': '30' })]);
    const before = { ...mine, signal: AbortSignal.abort(new Error('enough')) };

    expect(await failure(plataforma.withdrawals.create(payout, before))).toMatchObject({ message: 'enough' });
    expect(sent).toHaveLength(0);

    const waiting = { ...mine, signal: AbortSignal.timeout(50) };
    expect(await failure(plataforma.withdrawals.create(payout, waiting))).toMatchObject({
      name: 'TimeoutError',
    });
    expect(await failure(plataforma.withdrawals.create(payout, { ...mine, maxRetries: 0 }))).toMatchObject({
      ...{ name: 'ApiError', code: 'RATE_LIMITED' },
    });
  });

  test('includes a DELETE that is refused after a fault', async () => {
    const { plataforma } = sdkAnsweredBy([unreachable, refused(404, 'NOT_FOUND')]);

    expect(await failure(plataforma.destinations.delete('d'))).toMatchObject({
      ...{ name: 'UnknownOutcomeError', idempotencyKey: null },
      cause: { code: 'NOT_FOUND', cause: { name: 'ConnectionError' } },
    });
  });
});
