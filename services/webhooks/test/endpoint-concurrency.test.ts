import { describe, expect, test } from '@jest/globals';
import type { WebhookEndpoint } from '../src/domain/delivery.ts';
import {
  createEndpointConcurrency,
  type EndpointConcurrency,
  slotsNeeded,
} from '../src/sending/endpoint-concurrency.ts';
import { type SlotClass, slotClassOf } from '../src/sending/slot-groups.ts';
import { productionTuning } from '../src/tuning.ts';

const concurrency = () => createEndpointConcurrency({ total: 256, perEndpoint: 8 });

/** Returns an endpoint. Its account has no other endpoint by default. */
const at = (
  configurationId: string,
  environment: SlotClass['environment'] = 'production',
  merchantId = configurationId,
) => ({
  ...{ configurationId, merchantId, environment },
});
const slotClass = (health: SlotClass['health'], environment: SlotClass['environment'] = 'production') =>
  slotClassOf[environment][health];

const slotsOf = (of: EndpointConcurrency, health: SlotClass['health'], id: string) =>
  of.offer(slotClass(health), [at(id)]).shares[0]?.slots;

/** Simulates one request to an endpoint, which times out if `isSlow`. */
function call(of: EndpointConcurrency, id: string, { isSlow }: { isSlow: boolean }): void {
  of.enter(at(id));
  of.leave(at(id), { wasSlow: isSlow });
}

/**
 * Takes every slot that is offered to these endpoints of one slot class. Returns the number of taken slots.
 */
function takeAll(of: EndpointConcurrency, from: SlotClass, endpoints: readonly WebhookEndpoint[]): number {
  const taken = endpoints.flatMap((each) => of.take(Array.from({ length: 8 }, () => each)));
  expect(of.offer(from, endpoints).limit).toBe(0);
  return taken.length;
}

const many = (count: number, make: (name: string) => WebhookEndpoint) =>
  Array.from({ length: count }, (_, number) => make(`endpoint ${number}`));

describe('the slots for requests', () => {
  test('are few for an endpoint without an answer yet', () => {
    const some = concurrency();
    for (let i = 0; i < 3; i += 1) some.enter(at('a'));

    expect(some.offer(slotClass('unknown'), [at('a'), at('b')])).toMatchObject({
      limit: 61,
      shares: expect.arrayContaining([
        { configurationId: 'a', slots: 1 },
        { configurationId: 'b', slots: 4 },
      ]),
    });
  });

  test('reach the full limit after an endpoint’s first answer', () => {
    const some = concurrency();
    call(some, 'a', { isSlow: false });
    const afterAnswer = slotsOf(some, 'healthy', 'a');
    for (let i = 0; i < 5; i += 1) some.enter(at('a'));

    expect([afterAnswer, slotsOf(some, 'healthy', 'a')]).toEqual([8, 3]);
  });

  test('are fewer for an endpoint after a timeout until it answers', () => {
    const some = concurrency();
    call(some, 'a', { isSlow: true });
    const afterSilence = slotsOf(some, 'slow', 'a');
    call(some, 'a', { isSlow: false });

    expect([afterSilence, slotsOf(some, 'healthy', 'a')]).toEqual([2, 8]);
  });

  test('move with their endpoint when it becomes slow', () => {
    const some = concurrency();
    for (let i = 0; i < 4; i += 1) some.enter(at('a'));

    expect(some.leave(at('a'), { wasSlow: true })()).toEqual(['all', 'unknown', 'a production unknown']);
    expect([some.offer(slotClass('unknown'), []).limit, some.offer(slotClass('slow'), []).limit]).toEqual([
      64, 61,
    ]);
  });

  test('remain for healthy endpoints while many others hang', () => {
    const some = concurrency();
    const hanging = Array.from({ length: 300 }, (_, n) => `hangs ${n}`);
    for (const id of hanging) call(some, id, { isSlow: true });
    call(some, 'answers', { isSlow: false });

    const slow = takeAll(
      some,
      slotClass('slow'),
      hanging.map((id) => at(id)),
    );
    const unknown = takeAll(
      some,
      slotClass('unknown'),
      many(300, (name) => at(name)),
    );

    expect([slow, unknown, slotsOf(some, 'healthy', 'answers')]).toEqual([64, 64, 8]);
  });

  test('are offered in a different order each time', () => {
    const some = concurrency();
    const endpoints = many(20, (name) => at(name));

    const firsts = Array.from(
      { length: 100 },
      () => some.offer(slotClass('unknown'), endpoints).shares[0]?.configurationId,
    );

    expect(new Set(firsts).size).toBeGreaterThan(5);
  });

  test.each(['healthy', 'unknown', 'slow'] as const)(
    'remain for %s production endpoints when sandboxes fill their share',
    (health) => {
      const some = concurrency();
      const part = { healthy: 256, unknown: 64, slow: 64 }[health];
      const [sandboxes, production] = (['sandbox', 'production'] as const).map((environment) =>
        many(300, (name) => at(`${environment} ${name}`, environment)),
      );
      for (const each of [...(sandboxes ?? []), ...(production ?? [])]) {
        some.enter(each);
        if (health === 'unknown') some.giveBack(each);
        else some.leave(each, { wasSlow: health === 'slow' });
      }

      expect(takeAll(some, slotClass(health, 'sandbox'), sandboxes ?? [])).toBe(part / 2);
      expect(takeAll(some, slotClass(health), production ?? [])).toBe(part / 2);
    },
  );

  test('are exhausted by more than twenty sandboxes only', () => {
    const some = createEndpointConcurrency(productionTuning.limits);
    const endpointsOf = (account: number) =>
      many(20, (name) => at(`${account} ${name}`, 'sandbox', `account ${account}`));
    const taken = Array.from({ length: 21 }, (_, account) =>
      endpointsOf(account).flatMap((each) => some.take(Array.from({ length: 8 }, () => each))),
    ).flat();

    expect(taken.length).toBeLessThan(productionTuning.limits.total / 8);
    const [share] = some.offer(slotClass('unknown', 'sandbox'), [at('last', 'sandbox')]).shares;
    expect(share?.slots).toBeGreaterThan(0);
  });

  test('of an account are shared by all its endpoints', () => {
    const some = concurrency();
    const endpoints = many(5, (name) => at(name, 'sandbox', 'an account'));

    const { shares, exhausted } = some.offer(slotClass('unknown', 'sandbox'), endpoints);

    expect(shares.map(({ slots }) => slots)).toEqual([1, 1, 1, 1, 0]);
    expect(exhausted(0)).toEqual(['an account sandbox unknown']);
    const [first = at('none')] = endpoints;
    some.enter(first);
    expect(some.leave(first, { wasSlow: true })()).toContain('an account sandbox unknown');
  });

  test('of sandboxes do not delay deliveries of production', () => {
    const some = concurrency();
    for (const each of many(20, (name) => at(name, 'sandbox'))) {
      some.enter(each);
      some.leave(each, { wasSlow: false });
      some.take(Array.from({ length: 8 }, () => each));
    }
    const [sandbox, production] = [at('sandbox', 'sandbox'), at('production')];

    expect(some.hasFree(slotsNeeded(Array.from({ length: 128 }, () => sandbox)))).toBe(false);
    expect(some.hasFree(slotsNeeded([...Array.from({ length: 128 }, () => sandbox), production]))).toBe(true);
  });
});
