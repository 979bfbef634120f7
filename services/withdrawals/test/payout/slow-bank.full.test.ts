import { expect, test } from '@jest/globals';
import { blocking, eventually } from '@plataforma/testing';
import { startWorld } from '../support/world.ts';
import { agreeingWorld, follow } from './support/payouts.ts';

const world = agreeingWorld(() => startWorld({ tuning: { providerTimeoutMs: 20_000 } }));

test('fifty slow orders delay no approval of another withdrawal', async () => {
  const blocked = blocking();
  world.bank.always('order', blocked.behaviour);
  const merchant = world.newMerchant();
  const slow = await Promise.all(Array.from({ length: 50 }, () => world.client.newWithdrawal(merchant)));
  await eventually(() =>
    expect(world.bank.requests.filter((each) => each.operation === 'order')).toHaveLength(50),
  );

  const other = await follow(world);
  await eventually(async () => expect(await other.now()).toMatchObject({ status: 'APPROVED' }));

  blocked.release();
  for (const { id } of slow) {
    await eventually(async () =>
      expect(await world.client.withdrawal(merchant, id)).toMatchObject({ status: 'COMPLETED' }),
    );
  }
  await other.becomes('COMPLETED');
});
