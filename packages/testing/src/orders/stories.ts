import { describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/local';
import type { Running } from '@plataforma/service';
import { blocking, doneThenReset, error500, reset } from '../fakes/behaviours.ts';
import type { OrderAdapter } from './adapter.ts';
import { describeContradictions } from './contradictions.ts';
import { type OrderFixture, openFixture } from './fixture.ts';
import { type CarriedOutLate, carriedOutLate, type Followed } from './followed.ts';

/** An order that leaves once, whatever its provider says, and what contradicts the record. */
export function describeOrders<R extends Running>(adapter: OrderAdapter<R>): void {
  const fixture = openFixture(adapter, 'idle');
  describe('an order that its provider has taken', () => describeTaken(fixture));
  describe('an order that is refused', () => describeRefused(fixture));
  describe('an order that is refused after one whose answer was lost', () => describeUnconfirmed(fixture));
  describe('a notice', () => describeNotices(fixture));
  describe('what contradicts the record', () => describeContradictions(fixture));
}

function describeTaken({ world, adapter, begin }: OrderFixture): void {
  test.each([
    ['is done, and a notice comes', 'DONE', 'notice'],
    ['is done, and only a look finds it', 'DONE', 'look'],
    ['is not carried out, and a notice comes', 'FAILED', 'notice'],
    ['is not carried out, and only a look finds it', 'FAILED', 'look'],
  ] as const)('and then %s, ends so, once', async (_what, end, by) => {
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

  test('is asked about until the provider says how it stands, and never ordered again', async () => {
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
  test('at once has failed, and is not given again', async () => {
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

/** Its first order was met so, the provider showed none, and refused the second. */
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

  test('has not failed yet: a notice has the provider asked, decides nothing, and orders nothing', async () => {
    const order = await unconfirmed(fixture);

    for (const checks of [1, 2].map((more) => order.requests('find').length + more)) {
      await order.notify();
      await eventually(() => expect(order.requests('find')).toHaveLength(checks));
      await eventually(async () => expect(await order.isClaimed()).toBe(false));
    }

    expect([await order.recorded(), await order.announced()]).toEqual(['OPEN', []]);
    expect(order.requests('order')).toHaveLength(2);
  });

  test('is done when the first one was carried out after all', async () => {
    const order = await unconfirmed(fixture);
    order.carryOut();

    await order.letPass('unconfirmed');

    await order.becomes('DONE');
    expect([order.requests('order').length, order.paid()]).toEqual([2, 1]);
    expect(await order.announced()).toEqual(adapter.announces.DONE);
  });

  test('is done at once when the provider shows that it had taken the first one', async () => {
    const order = await unconfirmed(fixture, carriedOutLate(doneThenReset));

    await order.notify();

    await order.becomesByItself('DONE');
    expect([order.requests('order').length, order.paid()]).toEqual([2, 1]);
  });

  test('has failed when the provider knows of none a while later, and is not given a third time', async () => {
    const order = await unconfirmed(fixture);

    await order.letPass('unconfirmed');

    await order.becomes('FAILED');
    expect([order.requests('order').length, order.paid()]).toEqual([2, 0]);
    expect(await order.announced()).toEqual(adapter.announces.FAILED);
  });

  test('stays open a while later for as long as the provider says nothing definite', async () => {
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
  test('has an order asked about whose answer was lost', async () => {
    world().script.next('order', doneThenReset);
    const order = await begin();
    await order.rests();

    await order.notify();

    await order.becomesByItself('DONE');
    expect([order.requests('order').length, order.paid()]).toEqual([1, 1]);
    expect(await order.announced()).toEqual(adapter.announces.DONE);
  });

  test('while an order is at its provider starts no second one, and has it asked about afterwards', async () => {
    const blocked = blocking(doneThenReset);
    world().script.next('order', blocked.behaviour);
    const order = await begin();
    await blocked.arrived;

    await order.notify();
    // The clock has had its turn.
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

  test('that comes while the provider is asked has it asked once more', async () => {
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
