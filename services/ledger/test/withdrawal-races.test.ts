import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, rounds } from '@plataforma/testing';
import { brokenPromises } from './support/books.ts';
import { failure, merchantIn, success } from './support/door.ts';
import { paid, withdrawalOf } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { sharedWorld, type World } from './support/world.ts';

let world: World;
let other: Awaited<ReturnType<World['startReplica']>>;

beforeAll(async () => {
  world = await sharedWorld();
  other = await world.startReplica();
});
afterEach(async () => {
  expect(await brokenPromises(world.database)).toEqual([]);
  expect(await world.deadLetters()).toEqual([]);
});
afterAll(() => world.stop());

const merchant = () => merchantIn(world);

describe('a withdrawal that is asked for again', () => {
  test('is the same one, also when the money is gone or it has ended meanwhile', async () => {
    const tenant = await merchant();
    const [first, second] = [withdrawalOf(tenant), withdrawalOf(tenant, { netAmount: 1_375, fee: 0 })];
    await world.withdraw(first.order);
    await world.withdraw(second.order);
    await world.tell(first.failed);

    const again = [await world.withdraw(first.order), await world.withdraw(second.order)];

    expect(again).toEqual([success(first.id), success(second.id)]);
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 1_100 });
  });

  test('after it was refused stays refused, though money has come since; another one is not', async () => {
    const tenant = newTenant();
    const { order } = withdrawalOf(tenant);
    const first = await world.withdraw(order);
    await world.tell(paid(tenant));

    const again = [await world.withdraw(order), await world.withdraw(order, other)];
    const another = await world.withdraw(withdrawalOf(tenant).order);

    expect([first, ...again].map(({ status }) => status)).toEqual([422, 422, 422]);
    expect(another.status).toBe(200);
  });

  test.each([
    ['amount', { netAmount: 999 }],
    ['fee', { fee: 99 }],
    ['merchant', newTenant()],
    ['environment', { environment: 'production' }],
  ])('with another %s is refused', async (_what, change) => {
    const { order } = withdrawalOf(await merchant());
    await world.withdraw(order);

    expect(await world.withdraw({ ...order, ...change })).toEqual(failure(409, 'INVALID_STATE'));
  });

  test('twenty times at once, of two replicas, is taken once', async () => {
    const tenant = await merchant();
    const { id, order } = withdrawalOf(tenant);

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, number) => world.withdraw(order, number % 2 ? other : world.first)),
    );

    expect(answers).toEqual(Array.from({ length: 20 }, () => success(id)));
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 1_375, totalWithdrawn: 1_000 });
  });

  test('for two merchants at once is one merchant’s', async () => {
    for (let round = 0; round < rounds(20); round += 1) {
      const [one, two] = [await merchant(), await merchant()];
      const { id, order } = withdrawalOf(one);

      const answers = await Promise.all([world.withdraw(order), world.withdraw({ ...order, ...two }, other)]);

      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(Object.keys(await world.entriesOf(id))).toEqual(['withdrawal_created']);
    }
  });
});

describe('a hundred withdrawals at once', () => {
  test('on a balance for ten, asked of two replicas: exactly ten are done', async () => {
    const tenant = newTenant();
    await world.tell(paid(tenant, { amount: 11_000, feeAmount: 0 }));

    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, number) =>
        world.withdraw(withdrawalOf(tenant).order, number % 2 ? other : world.first),
      ),
    );

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(90);
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 0, totalWithdrawn: 10_000 });
  });

  test('and their ends, told twice and in any order, give back what failed', async () => {
    const tenant = newTenant();
    await world.tell(paid(tenant, { amount: 110_000, feeAmount: 0 }));
    const withdrawals = Array.from({ length: 50 }, () => withdrawalOf(tenant));
    const [kept, lost] = [withdrawals.slice(0, 20), withdrawals.slice(20)];

    await Promise.all(withdrawals.map(({ order }) => world.withdraw(order, other)));
    const ends = [...lost.map(({ failed }) => failed), ...kept.map(({ completed }) => completed)];
    await world.tell(...ends, ...ends.toReversed());

    await eventually(async () =>
      expect(await world.balanceOf(tenant)).toMatchObject({
        availableBalance: 110_000 - 20 * 1_100,
        totalWithdrawn: 20_000,
        totalFeesPaid: 2_000,
      }),
    );
  });
});
