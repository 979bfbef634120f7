import { expect, test } from '@jest/globals';
import { eventually } from '@plataforma/local';
import { error500 } from '../fakes/behaviours.ts';
import type { OrderFixture } from './fixture.ts';
import { carriedOutLate, type Followed } from './followed.ts';

const DAY_SECONDS = 86_400;

/**
 * Begins an order that the provider refuses. The test can make the provider execute the order later, despite
 * the refusal.
 */
async function refused({ world, adapter, begin }: OrderFixture) {
  const late = carriedOutLate(adapter.refusing);
  world().script.next('order', late.behaviour);
  const order = await begin();
  await order.becomes('FAILED');
  await order.isRecorded();
  return { order, carryOut: late.carryOut };
}

async function readState(order: Followed): Promise<unknown[]> {
  return [await order.shown(), await order.announced()];
}

export function describeContradictions(fixture: OrderFixture): void {
  test('raises one alarm when a refused order is done later', async () => {
    const { order, carryOut } = await refused(fixture);
    const before = await readState(order);
    carryOut();

    for (let notices = 0; notices < 3; notices += 1) await order.awaitNoticeCheck();

    const alarm = { ...order.about, kind: 'DONE_AFTER_FAILED', amount: order.amount, settledAt: null };
    expect(await order.alarms()).toMatchObject([alarm]);
    expect(await readState(order)).toEqual(before);
  });

  test('is found by checks for a day without any notice', async () => {
    const { order, carryOut } = await refused(fixture);
    const checks = () => order.requests('find').length;
    const first = await order.nextCheck();
    const before = checks();
    fixture.world().script.next('find', error500);
    await order.checkSoon();
    await eventually(() => expect(checks()).toBe(before + 1));
    await order.isRecorded();
    const [second, none] = [await order.nextCheck(), await order.alarms()];
    carryOut();

    await order.checkSoon();

    await eventually(async () => expect(await order.alarms()).toHaveLength(1));
    await order.isRecorded();
    expect([first, none]).toEqual([900, []]);
    expect(second).toBeGreaterThanOrEqual(900);
    expect(second).toBeLessThan(DAY_SECONDS);
    await order.letPass('watch');
    await order.checkSoon();
    await eventually(async () => expect(await order.nextCheck()).toBeNull());
    expect(checks()).toBe(before + 3);
  });

  test('is neither a repeated failure nor a not-found answer', async () => {
    const order = await fixture.begin({ isSlow: true });
    await order.rests();
    order.end('FAILED');
    await order.notify();
    await order.becomesByItself('FAILED');
    await order.isRecorded();

    await order.awaitNoticeCheck();
    fixture.world().script.next('find', fixture.adapter.knowsNone);
    await order.awaitNoticeCheck();

    expect(await order.alarms()).toEqual([]);
    expect(order.requests('order')).toHaveLength(1);
  });

  test('raises one alarm when an order moves another amount', async () => {
    const { operation, behaviour, amount, recorded } = fixture.adapter.anotherAmount;
    fixture.world().script.always(operation, behaviour);
    const order = await fixture.begin();
    await order.awaitRequests(operation, 1);

    const alarms = [{ ...order.about, kind: 'ANOTHER_AMOUNT', amount }];
    await eventually(async () => {
      await order.checkSoon();
      expect(await order.alarms()).toMatchObject(alarms);
    });
    await order.becomesByItself(recorded);
    expect([null, [200, undefined]]).toContainEqual(await order.answer);
    fixture.world().script.always(operation);

    await order.becomes('DONE');
    expect(await order.alarms()).toMatchObject(alarms);
    expect(await order.announced()).toEqual(fixture.adapter.announces.DONE);
  });
}
