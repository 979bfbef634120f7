import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { doneThenReset, eventually } from '@plataforma/testing';
import { startCharges } from '../../src/service.ts';
import { type CardWorld, startCardWorld } from '../support/card-world.ts';

let world: CardWorld;

beforeAll(async () => {
  world = await startCardWorld({ settings: { UNEXPECTED_PAYMENTS: 'hold' } });
});
afterAll(() => world.stop());

/** The clock has looked at it since, and will not again for a while. */
const RESTS = `SELECT 1 FROM charges WHERE external_id = $1 AND next_check_at > now() + interval '300 s'`;

test('a card payment nobody asked about in time is kept as long as the service holds', async () => {
  const shop = world.newShop();
  const card = world.newCard();
  const order = world.orderWith(card);
  world.acquirer.next('pay', doneThenReset);
  await world.client.create(shop, order);
  const [payment] = world.acquirer.book.ofCard(card);
  const become = (expected: Record<string, unknown>) =>
    eventually(async () => expect(await world.attemptsOf(order.externalId)).toMatchObject([expected]));
  await world.letPass(order.externalId, 0);
  await become({ status: 'PENDING', acquirer_id: payment?.id });

  await world.letPass(order.externalId, 3_600);
  await eventually(async () => expect(await world.database.query(RESTS, [order.externalId])).toHaveLength(1));

  await become({ status: 'PENDING', is_voiding: false });
  expect(payment).toMatchObject({ status: 'paid', canceledAmount: 0 });
  const returning = await startCharges(
    { ...world.env, UNEXPECTED_PAYMENTS: 'return' },
    { scheduleEveryMs: 20, providerTimeoutMs: 5_000 },
  );
  try {
    // Both look; what the one that holds puts off again comes to the other in the end.
    await eventually(async () => {
      await world.letPass(order.externalId, 0);
      expect(await world.attemptsOf(order.externalId)).toMatchObject([{ status: 'DECLINED' }]);
    });
    expect(payment).toMatchObject({ status: 'canceled', canceledAmount: 2500 });
  } finally {
    await returning.stop();
  }
});
