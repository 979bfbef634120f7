import { describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/local';
import type { Running } from '@plataforma/service';
import { type Behaviour, type Blocked, blocking, honest, tokenEnded } from '../fakes/behaviours.ts';
import type { OrderAdapter } from './adapter.ts';
import { type OrderFixture, openFixture } from './fixture.ts';
import type { Followed } from './followed.ts';

/**
 * Tests a replica whose request is blocked until its lease on an order has expired, while a second replica
 * processes the same order.
 */
export function describeLeases<R extends Running>(adapter: OrderAdapter<R>): void {
  const fixture = openFixture(adapter, 'hasty');
  const delayed = delays(fixture);
  describe('an order whose lease ends while it waits', () => describeWaiting(fixture, delayed));
  describe('an answer that arrives after the lease ended', () => describeLate(fixture, delayed));
}

/**
 * The possible responses of the late replica if it did not send the order. The response is null if the
 * service responds before the order is sent.
 */
const TOO_LATE = [null, [503, 'PROVIDER_UNAVAILABLE']];

interface DelayedOrder {
  order: Followed;
  release(): Promise<void>;
}

/**
 * Begins an order on a replica with a short lease. The replica's request to the provider is blocked. Starts a
 * second replica, which runs until the next order begins.
 */
function delays({
  world,
  begin,
}: OrderFixture): (blocked: Blocked, isSlow?: boolean) => Promise<DelayedOrder> {
  let prompt: Running | undefined;
  return async (blocked, isSlow = false) => {
    await prompt?.stop();
    const late = await world().startReplica('late');
    const order = await begin({ at: late, isSlow });
    await blocked.arrived;
    await eventually(async () => expect(await order.isClaimed()).toBe(true));
    prompt = await world().startReplica('prompt');
    return {
      order,
      async release() {
        blocked.release();
        await late.stop();
      },
    };
  };
}

function describeWaiting({ world, adapter }: OrderFixture, delayed: ReturnType<typeof delays>): void {
  test.each<[string, Behaviour[], Behaviour[]]>([
    ['for a token', [], []],
    ['for a second token, after the first expired', [honest], [tokenEnded]],
  ])('%s is not sent after a second replica completed it', async (_what, tokens, orders) => {
    const blocked = blocking();
    world().script.next('token', ...tokens, blocked.behaviour);
    world().script.next('order', ...orders);
    const { order, release } = await delayed(blocked);
    await order.becomes('DONE');
    const ordered = order.requests('order').length;

    await release();

    expect(ordered).toBe(orders.length + 1);
    expect([order.requests('order').length, order.paid()]).toEqual([ordered, 1]);
    expect(await order.announced()).toEqual(adapter.announces.DONE);
    expect(TOO_LATE).toContainEqual(await order.answer);
  });

  test('for a token is not sent after a second replica’s refusal', async () => {
    const blocked = blocking();
    world().script.next('token', blocked.behaviour);
    world().script.next('order', adapter.refusing);
    const { order, release } = await delayed(blocked);
    await order.becomes('FAILED');

    await release();

    expect([order.requests('order').length, order.paid()]).toEqual([1, 0]);
    expect(await order.announced()).toEqual(adapter.announces.FAILED);
    expect(TOO_LATE).toContainEqual(await order.answer);
  });
}

function describeLate({ world, adapter }: OrderFixture, delayed: ReturnType<typeof delays>): void {
  test('changes nothing when a second replica completed the order', async () => {
    const blocked = blocking();
    world().script.next('order', blocked.behaviour);
    const { order, release } = await delayed(blocked);
    await order.becomes('DONE');
    const before = [await order.shown(), await order.announced(), await order.nextCheck()];

    await release();

    expect([await order.shown(), await order.announced(), await order.nextCheck()]).toEqual(before);
    expect([order.paid(), await order.alarms()]).toEqual([1, []]);
  });

  test('does not fail an order that a second replica sent', async () => {
    const blocked = blocking(adapter.refusing);
    world().script.next('order', blocked.behaviour);
    const { order, release } = await delayed(blocked, true);
    await order.awaitRequests('order', 2);

    await release();

    expect([await order.recorded(), await order.announced()]).toEqual(['OPEN', []]);
    order.end('DONE');
    await order.becomes('DONE');
    expect(order.paid()).toBe(1);
  });
}
