import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { beforeFile } from '@plataforma/testing/world';
import { soundWorld } from './support/books.ts';
import { paid, withdrawalOf } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { sharedWorld } from './support/world.ts';

const world = soundWorld(sharedWorld);
const other = beforeFile(() => world.startReplica());
afterEach(async () => expect(await world.deadLetters()).toEqual([]));

describe('concurrent withdrawals', () => {
  test('on two replicas succeed only while the balance lasts', async () => {
    const tenant = newTenant();
    await world.deliver(paid(tenant, { amount: 11_000, feeAmount: 0 }));

    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, number) =>
        world.withdraw(withdrawalOf(tenant).order, number % 2 ? other : world.first),
      ),
    );

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(90);
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 0, totalWithdrawn: 10_000 });
  });

  test('that end repeatedly in any order return only failed money', async () => {
    const tenant = newTenant();
    await world.deliver(paid(tenant, { amount: 110_000, feeAmount: 0 }));
    const withdrawals = Array.from({ length: 50 }, () => withdrawalOf(tenant));
    const [completed, lost] = [withdrawals.slice(0, 20), withdrawals.slice(20)];

    await Promise.all(withdrawals.map(({ order }) => world.withdraw(order, other)));
    const ends = [...lost.map(({ failed }) => failed), ...completed.map(({ completed }) => completed)];
    await world.deliver(...ends, ...ends.toReversed());

    await eventually(async () =>
      expect(await world.balanceOf(tenant)).toMatchObject({
        availableBalance: 110_000 - 20 * 1_100,
        totalWithdrawn: 20_000,
        totalFeesPaid: 2_000,
      }),
    );
  });
});
