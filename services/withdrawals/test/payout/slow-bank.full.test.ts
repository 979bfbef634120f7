import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, holding } from '@plataforma/testing';
import { startWorld, type World } from '../support/world.ts';
import { disagreements, follow } from './support/payouts.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld({ tuning: { providerTimeoutMs: 20_000 } });
});
afterAll(async () => {
  expect(await disagreements(world)).toEqual([]);
  await world.stop();
});

test('a bank that takes its time over fifty orders keeps no other withdrawal from being approved', async () => {
  const held = holding();
  world.bank.always('order', held.behaviour);
  const merchant = world.newMerchant();
  const slow = await Promise.all(Array.from({ length: 50 }, () => world.client.newWithdrawal(merchant)));
  await eventually(() =>
    expect(world.bank.requests.filter((each) => each.operation === 'order')).toHaveLength(50),
  );

  const other = await follow(world);
  await eventually(async () => expect(await other.now()).toMatchObject({ status: 'APPROVED' }));

  held.release();
  for (const { id } of slow) {
    await eventually(async () =>
      expect(await world.client.withdrawal(merchant, id)).toMatchObject({ status: 'COMPLETED' }),
    );
  }
  await other.becomes('COMPLETED');
});
