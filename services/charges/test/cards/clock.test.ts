import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { doneThenReset, eventually } from '@plataforma/testing';
import { type CardWorld, startCardWorld } from '../support/card-world.ts';
import { startHourAhead } from '../support/service-process.ts';

let world: CardWorld;

beforeAll(async () => {
  world = await startCardWorld({ tuning: { leaseMs: 300 } });
});
afterAll(() => world.stop());

test('a replica whose clock is an hour ahead gives back no payment that its caller may yet ask about', async () => {
  const shop = world.newShop();
  const order = world.orderWith(world.newCard());
  const { externalId } = order;
  world.acquirer.next('pay', doneThenReset);
  await world.client.create(shop, order);
  await world.first.stop();
  const ahead = await startHourAhead(world.env);

  await world.letPass(externalId, 0);
  const resting = `
    SELECT 1 FROM charges
    WHERE external_id = $1 AND acquirer_id IS NOT NULL AND next_check_at > now() + interval '10 min'`;
  await eventually(async () => expect(await world.database.query(resting, [externalId])).toHaveLength(1));
  // What the clock had rested until is over for it, too, if it is over at all.
  await ahead.terminate();
  const successor = await world.startReplica();
  const { status, data } = await successor.client.create(shop, order);

  expect([status, data]).toEqual([200, expect.objectContaining({ status: 'PAID' })]);
  expect(world.acquirer.requests.filter(({ operation }) => operation === 'cancel')).toEqual([]);
});
