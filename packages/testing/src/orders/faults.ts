import { describe, expect, test } from '@jest/globals';
import type { Running } from '@plataforma/service';
import {
  type Behaviour,
  blocking,
  doneThen500,
  doneThenGarbage,
  doneThenReset,
  doneThenSilence,
  error500,
  nothingHere,
  reset,
  silence,
  tokenEnded,
  tooMany,
} from '../fakes/behaviours.ts';
import type { OrderAdapter } from './adapter.ts';
import { type OrderFixture, openFixture } from './fixture.ts';

const answers =
  (status: number, body: unknown): Behaviour =>
  () => ({ status, body });
const page: Behaviour = () => ({ status: 200, text: '<html>' });

/**
 * A fault of the provider, and the service's response to the request that began the order; null if the test
 * does not check the response.
 */
type OrderFault = [what: string, behaviours: Behaviour[], answer: [status: number, code: string] | null];

const AWAY: OrderFault[2] = [503, 'PROVIDER_UNAVAILABLE'];
const WRONG: OrderFault[2] = [502, 'PROVIDER_ERROR'];

const orderFaults: OrderFault[] = [
  ['does not answer', [silence], AWAY],
  ['resets the connection', [reset], AWAY],
  ['answers 500', [error500], AWAY],
  ['answers 429', [tooMany], AWAY],
  ['answers a page', [page], WRONG],
  ['answers null', [answers(201, null)], WRONG],
  ['answers an empty object', [answers(201, {})], WRONG],
  ['redirects it', [answers(302, {})], null],
  ['answers 401 repeatedly', [tokenEnded, tokenEnded], WRONG],
  ['answers 403', [answers(403, { title: 'AcessoNegado' })], WRONG],
  ['answers 404', [nothingHere], WRONG],
  ['accepts it and does not answer', [doneThenSilence], AWAY],
  ['accepts it and resets the connection', [doneThenReset], AWAY],
  ['accepts it and answers 500', [doneThen500], AWAY],
  ['accepts it and answers a page', [doneThenGarbage], WRONG],
];

const findFaults: [what: string, behaviour: Behaviour][] = [
  ['does not answer', silence],
  ['resets the connection', reset],
  ['answers 500', error500],
  ['answers 429', tooMany],
  ['answers a page', page],
  ['answers null', answers(200, null)],
  ['answers a list', answers(200, [])],
  ['answers an empty object', answers(200, {})],
  ['answers 401', tokenEnded],
  ['answers 403', answers(403, { title: 'AcessoNegado' })],
];

/**
 * Tests answers that do not say whether the provider executed an order. The provider must execute the order
 * once, and the service must record the provider's result.
 */
export function describeFaults<R extends Running>(adapter: OrderAdapter<R>): void {
  const fixture = openFixture(adapter, 'faulty');
  describe('an order under provider errors', () => describeOrderFaults(fixture));
  describe('a status check under provider errors', () => describeFindFaults(fixture));
}

function describeOrderFaults({ world, adapter, begin }: OrderFixture): void {
  const own = adapter.faults.order.map(([what, behaviour]): OrderFault => [what, [behaviour], null]);

  test.each([...orderFaults, ...own])(
    'is done once although the provider %s',
    async (_what, behaviours, expected) => {
      world().script.next('order', ...behaviours);
      const order = await begin();

      await order.becomes('DONE');

      expect(order.paid()).toBe(1);
      expect(new Set(order.requests('order')).size).toBe(1);
      expect(await order.announced()).toEqual(adapter.announces.DONE);
      const answer = await order.answer;
      if (answer && expected) expect(answer).toEqual(expected);
    },
  );

  test('stays open while the provider’s answers are lost', async () => {
    world().script.always('order', doneThenReset);
    world().script.always('find', error500);
    const order = await begin();

    await order.awaitRequests('find', 3);

    expect([await order.recorded(), await order.announced()]).toEqual(['OPEN', []]);
    expect(order.requests('order')).toHaveLength(1);
  });

  test('is done once when the provider’s answer comes too late', async () => {
    const blocked = blocking();
    world().script.next('order', blocked.behaviour);
    const order = await begin();
    await blocked.arrived;
    await order.awaitRequests('order', 2);
    await order.becomes('DONE');
    const before = await order.shown();

    blocked.release();

    expect(await order.shown()).toEqual(before);
    expect(order.paid()).toBe(1);
  });
}

function describeFindFaults({ world, adapter, begin }: OrderFixture): void {
  test.each([...findFaults, ...adapter.faults.find])(
    'decides nothing when the provider %s',
    async (_what, behaviour) => {
      world().script.always('find', behaviour);
      const order = await begin({ isSlow: true });
      await order.rests();
      order.end('DONE');

      await order.awaitRequests('find', order.requests('find').length + 2);

      expect([await order.recorded(), await order.announced()]).toEqual(['OPEN', []]);
      world().script.always('find');
      await order.becomes('DONE');
      expect([order.requests('order').length, order.paid()]).toEqual([1, 1]);
      expect(await order.announced()).toEqual(adapter.announces.DONE);
    },
  );
}
