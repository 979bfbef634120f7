import { describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/local';
import type { Running } from '@plataforma/service';
import { blocking, doneThenReset, error500, reset } from '../fakes/behaviours.ts';
import type { OrderAdapter } from './adapter.ts';
import { describeContradictions } from './contradictions.ts';
import { type OrderFixture, openFixture } from './fixture.ts';
import { type CarriedOutLate, carriedOutLate, type Followed } from './followed.ts';

/**
 * Tests that the provider executes an order once for every kind of answer, and that contradictory answers
 * raise an alarm.
 */
export function describeOrders<R extends Running>(adapter: OrderAdapter<R>): void {
  const fixture = openFixture(adapter, 'idle');
  describe('an order that its provider accepted', () => describeTaken(fixture));
  describe('a refused order', () => describeRefused(fixture));
  describe('an order refused after a first request without an answer', () => describeUnconfirmed(fixture));
  describe('a provider’s notice', () => describeNotices(fixture));
  describe('a contradiction of the record', () => describeContradictions(fixture));
}

function describeTaken({ world, adapter, begin }: OrderFixture): void {
  test.each([
    ['is done and a notice reports it', 'DONE', 'notice'],
    ['is done and only a query finds it', 'DONE', 'look'],
    ['fails and a notice reports it', 'FAILED', 'notice'],
    ['fails and only a query finds it', 'FAILED', 'look'],
  ] as const)('ends once when it %s', async (_what, end, by) => {
    const order = await begin({ isSlow: true });
    await order.rests();
    const before = [await order.recorded(), await order.announced()];

    order.end(end);
    await (by === 'notice' ? order.notify() : order.checkSoon());

    await order.becomesByItself(end);
    expect(before).toEqual(['OPEN', []]);
    expect(await order.announced()).toEqual(adapter.announces[end]);
    expect([order.requests('order').length, order.paid()]).toEqual([1, end === 'DONE' ? 1 : 0]);
  });

  test('is only checked until the provider’s answer is definite', async () => {
    const order = await begin({ isSlow: true });
    await order.rests();
    world().script.next('find', error500, adapter.knowsNone, adapter.knowsNone);

    await order.awaitRequests('find', order.requests('find').length + 4);

    expect([await order.recorded(), await order.announced()]).toEqual(['OPEN', []]);
    order.end('DONE');
    await order.becomes('DONE');
    expect([order.requests('order').length, order.paid()]).toEqual([1, 1]);
  });
}

function describeRefused({ world, adapter, begin }: OrderFixture): void {
  test('fails at once and is not sent again', async () => {
    world().script.next('order', adapter.refusing);
    const order = await begin();

    await order.becomes('FAILED');

    expect([order.requests('order').length, order.paid()]).toEqual([1, 0]);
    expect(await order.announced()).toEqual(adapter.announces.REFUSED);
    expect(await order.alarms()).toEqual([]);
  });
}

interface Unconfirmed extends Followed {
  carryOut(): void;
}

/**
 * Begins an order whose first request gets the behaviour `first`. The provider then answers that the order
 * does not exist, and refuses the second request.
 */
async function unconfirmed(
  { world, adapter, begin }: OrderFixture,
  first: CarriedOutLate = carriedOutLate(reset),
): Promise<Unconfirmed> {
  world().script.next('order', first.behaviour, adapter.refusing);
  world().script.next('find', adapter.knowsNone);
  const order = await begin();
  await order.awaitRequests('order', 2);
  await order.rests();
  return { ...order, carryOut: first.carryOut };
}

function describeUnconfirmed(fixture: OrderFixture): void {
  const { world, adapter } = fixture;

  test('stays open, and a notice only starts a check', async () => {
    const order = await unconfirmed(fixture);

    for (const checks of [1, 2].map((more) => order.requests('find').length + more)) {
      await order.notify();
      await eventually(() => expect(order.requests('find')).toHaveLength(checks));
      await eventually(async () => expect(await order.isClaimed()).toBe(false));
    }

    expect([await order.recorded(), await order.announced()]).toEqual(['OPEN', []]);
    expect(order.requests('order')).toHaveLength(2);
  });

  test('is done when the provider carried out the first request', async () => {
    const order = await unconfirmed(fixture);
    order.carryOut();

    await order.letPass('unconfirmed');

    await order.becomes('DONE');
    expect([order.requests('order').length, order.paid()]).toEqual([2, 1]);
    expect(await order.announced()).toEqual(adapter.announces.DONE);
  });

  test('is done at once when the first request is found', async () => {
    const order = await unconfirmed(fixture, carriedOutLate(doneThenReset));

    await order.notify();

    await order.becomesByItself('DONE');
    expect([order.requests('order').length, order.paid()]).toEqual([2, 1]);
  });

  test('fails when the provider finds no order a while later', async () => {
    const order = await unconfirmed(fixture);

    await order.letPass('unconfirmed');

    await order.becomes('FAILED');
    expect([order.requests('order').length, order.paid()]).toEqual([2, 0]);
    expect(await order.announced()).toEqual(adapter.announces.FAILED);
  });

  test('stays open while the provider’s answers are indefinite', async () => {
    const order = await unconfirmed(fixture);
    world().script.always('find', error500);
    await order.letPass('unconfirmed');

    await order.awaitRequests('find', order.requests('find').length + 3);

    expect([await order.recorded(), await order.announced()]).toEqual(['OPEN', []]);
    world().script.always('find');
    await order.becomes('FAILED');
  });
}

function describeNotices({ world, adapter, begin }: OrderFixture): void {
  test('starts a check of an order whose answer was lost', async () => {
    world().script.next('order', doneThenReset);
    const order = await begin();
    await order.rests();

    await order.notify();

    await order.becomesByItself('DONE');
    expect([order.requests('order').length, order.paid()]).toEqual([1, 1]);
    expect(await order.announced()).toEqual(adapter.announces.DONE);
  });

  test('during the order’s request starts a check only after it', async () => {
    const blocked = blocking(doneThenReset);
    world().script.next('order', blocked.behaviour);
    const order = await begin();
    await blocked.arrived;

    await order.notify();
    // A later order is done, so the scheduler has run at least once since the notice about the first order.
    await (await begin()).becomes('DONE');
    const before = [order.requests('order').length, order.requests('find').length];
    blocked.release();

    await order.becomesByItself('DONE');
    expect(before).toEqual([1, 0]);
    expect([order.requests('order').length, order.paid()]).toEqual([1, 1]);
  });

  test('that comes ten times at once ends an order once', async () => {
    const order = await begin({ isSlow: true });
    await order.rests();
    order.end('DONE');

    await Promise.all(Array.from({ length: 10 }, () => order.notify()));

    await order.becomesByItself('DONE');
    expect(await order.announced()).toEqual(adapter.announces.DONE);
  });

  test('that arrives during a check starts one more check', async () => {
    const order = await begin({ isSlow: true });
    await order.rests();
    const blocked = blocking();
    world().script.next('find', async (perform) => {
      const before = perform();
      await blocked.behaviour(perform);
      return before;
    });
    await order.notify();
    await blocked.arrived;
    order.end('DONE');

    await order.notify();
    blocked.release();

    await order.becomesByItself('DONE');
  });
}
