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

describe('a call is sent again', () => {
  test.each([
    ['a network fault', unreachable],
    ['408', refused(408, 'REQUEST_TIMEOUT', soon)],
    ['429', refused(429, 'RATE_LIMITED', soon)],
    ['503', refused(503, 'SERVICE_UNAVAILABLE', soon)],
    ['REQUEST_IN_PROGRESS', refused(409, 'REQUEST_IN_PROGRESS', soon)],
    ['a proxy that answers itself', async () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
  ])('after %s, with the same Idempotency-Key', async (_what, answer) => {
    const { plataforma, sent } = sdkAnsweredBy([answer, done({ id: 'c' })]);

    expect(await plataforma.charges.create(order)).toEqual({ id: 'c' });

    const [first, second, ...more] = sent.map(({ headers, body }) => [headers.get('idempotency-key'), body]);
    expect(more).toEqual([]);
    expect(first?.[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toEqual(first);
  });

  test('twice at most, or as often as its caller says', async () => {
    const { plataforma, sent } = sdkAnsweredBy([refused(503, 'SERVICE_UNAVAILABLE', soon)]);

    await expect(plataforma.wallet.balance()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(sent).toHaveLength(3);

    await expect(plataforma.wallet.balance({}, { maxRetries: 0 })).rejects.toThrow(ApiError);
    expect(sent).toHaveLength(4);
  });

  test('by each call with a key of its own, or with the caller’s', async () => {
    const { plataforma, sent } = sdkAnsweredBy([done()]);

    await plataforma.charges.create(order);
    await plataforma.charges.create(order);
    await plataforma.charges.create(order, { idempotencyKey: 'mine' });

    const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe('mine');
  });

  test('with the key that its caller wrote as a header, in whatever case, and once', async () => {
    const { plataforma, sent } = sdkAnsweredBy([unreachable, done()]);

    await plataforma.charges.create(order, { headers: { 'Idempotency-Key': 'mine', ACCEPT: 'text/plain' } });

    expect(sent.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['mine', 'mine']);
    expect(sent[0]?.headers.get('accept')).toBe('text/plain');
  });
});

describe('a call is sent once', () => {
  test('when the API has decided', async () => {
    const { plataforma, sent } = sdkAnsweredBy([refused(422, 'INSUFFICIENT_BALANCE')]);

    await expect(plataforma.withdrawals.create(payout)).rejects.toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
      idempotencyKey: sent[0]?.headers.get('idempotency-key'),
    });
    expect(sent).toHaveLength(1);
  });

  test('when a second one might do it twice', async () => {
    const { plataforma, sent } = sdkAnsweredBy([unreachable]);

    await expect(plataforma.webhooks.update('w', { isActive: false })).rejects.toThrow(ConnectionError);
    await expect(plataforma.sandbox.withdrawals.approve('w')).rejects.toThrow(ConnectionError);
    expect(sent).toHaveLength(2);
  });

  test('when it would have to wait for more than a minute', async () => {
    const { plataforma, sent } = sdkAnsweredBy([refused(429, 'RATE_LIMITED', { 'retry-after': '61' })]);

    await expect(plataforma.wallet.balance()).rejects.toMatchObject({ retryAfter: 61 });
    expect(sent).toHaveLength(1);
  });

  test('when its caller gives it up while it waits', async () => {
    const { plataforma, sent } = sdkAnsweredBy([
      refused(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '30' }),
    ]);
    const signal = AbortSignal.timeout(50);

    expect(await failure(plataforma.wallet.balance({}, { signal }))).toMatchObject({ name: 'TimeoutError' });
    expect(sent).toHaveLength(1);
  });
});

describe('what a call throws', () => {
  test('when no answer came to a withdrawal holds the key to ask again with', async () => {
    const { plataforma, sent } = sdkAnsweredBy([unreachable], { maxRetries: 1 });

    const error = await failure(plataforma.withdrawals.create(payout));

    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ idempotencyKey: sent[0]?.headers.get('idempotency-key') });
    expect(sent).toHaveLength(2);
  });

  test('when the time is over is a ConnectionError, with the key, too', async () => {
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

  test('when a card is declined says why', async () => {
    const error = { code: 'CARD_DECLINED', message: 'the card was declined', reason: 'insufficient_funds' };
    const { plataforma } = sdkAnsweredBy([() => Response.json({ success: false, error }, { status: 402 })]);

    const thrown = await failure(plataforma.charges.create(order));

    expect(thrown).toBeInstanceOf(CardDeclinedError);
    expect(thrown).toMatchObject({ name: 'CardDeclinedError', reason: 'insufficient_funds', status: 402 });
  });

  test('when an id is missing is thrown before anything is sent', () => {
    const { plataforma, sent } = sdkAnsweredBy([done()]);

    for (const id of ['', '.', '..']) expect(() => plataforma.charges.cancel(id)).toThrow(TypeError);
    expect(sent).toHaveLength(0);
  });
});

describe('a change whose outcome is unknown throws the key to ask again with', () => {
  const mine = { idempotencyKey: 'mine' };
  const later = refused(429, 'RATE_LIMITED', { 'retry-after': '120' });

  test.each([
    ['no answer, then a refusal', [unreachable, later], 'RATE_LIMITED'],
    ['503, then a refusal', [refused(503, 'SERVICE_UNAVAILABLE', soon), later], 'RATE_LIMITED'],
    [
      'the same request under way to the end',
      [refused(409, 'REQUEST_IN_PROGRESS', soon)],
      'REQUEST_IN_PROGRESS',
    ],
    ['408 to the end', [refused(408, 'REQUEST_TIMEOUT', soon)], 'REQUEST_TIMEOUT'],
    ['500', [refused(500, 'INTERNAL_ERROR')], 'INTERNAL_ERROR'],
  ])('after %s', async (_what, answers, code) => {
    const { plataforma } = sdkAnsweredBy(answers);

    const error = await failure(plataforma.withdrawals.create(payout, mine));

    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ name: 'UnknownOutcomeError', ...mine, cause: { code } });
  });

  test('when its caller gives it up under way, or as it waits for the next try', async () => {
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

  test('but not when nothing was sent, nor when what was sent was refused', async () => {
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

  test('and a DELETE that is refused after a fault, which may have deleted, names both', async () => {
    const { plataforma } = sdkAnsweredBy([unreachable, refused(404, 'NOT_FOUND')]);

    expect(await failure(plataforma.destinations.delete('d'))).toMatchObject({
      ...{ name: 'UnknownOutcomeError', idempotencyKey: null },
      cause: { code: 'NOT_FOUND', cause: { name: 'ConnectionError' } },
    });
  });
});
