import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { doneThenReset, error500, eventually, TICK_MS } from '@plataforma/testing';
import { type CardWorld, startCardWorld } from '../support/card-world.ts';
import { holdingAnswer } from '../support/held-answer.ts';

/** The acquirer answers a held request whenever the test lets it; a busy machine has time to answer within a lease. */
const PATIENT = { providerTimeoutMs: 150_000, cardPatienceMs: 4_000, leaseMs: 3_000 };
/** It does nothing by itself. */
const IDLE = { scheduleEveryMs: 600_000 };

let world: CardWorld;

beforeAll(async () => {
  world = await startCardWorld({ tuning: { ...PATIENT, ...IDLE } });
});
afterAll(() => world.stop());

/** Its lease is over, whatever its holder does. */
const isFree = ({ externalId }: Record<string, unknown>) =>
  eventually(async () => {
    const free =
      'SELECT 1 FROM charges WHERE external_id = $1 AND (lease_until IS NULL OR lease_until <= now())';
    expect(await world.database.query(free, [externalId])).toHaveLength(1);
  });
const become = ({ externalId }: Record<string, unknown>, expected: Record<string, unknown>) =>
  eventually(async () => expect(await world.attemptsOf(externalId)).toMatchObject([expected]));

/** A payment whose answer was lost. */
async function unheard(traits?: Parameters<CardWorld['newCard']>[0], fault = doneThenReset) {
  const shop = world.newShop();
  const card = world.newCard(traits);
  const order = world.orderWith(card);
  world.acquirer.next('pay', fault);
  await world.client.create(shop, order);
  const [attempt] = await world.attemptsOf(order.externalId);
  return { shop, card, order, id: attempt?.id ?? '' };
}

test('a caller whose question about an order is answered after its lease sends no order', async () => {
  const { shop, card, order, id } = await unheard({}, error500);
  const held = holdingAnswer();
  world.acquirer.next('find', held.behaviour);
  const late = world.client.create(shop, order);
  await held.arrived;
  await isFree(order);

  const second = await world.client.create(shop, order);
  held.release();

  const { status, error } = await late;
  expect([second.status, status, error?.code]).toEqual([200, 503, 'PROVIDER_UNAVAILABLE']);
  expect(world.acquirer.requestsFor(id, 'pay')).toHaveLength(2);
  expect(world.acquirer.book.ofCard(card)).toMatchObject([{ status: 'paid', canceledAmount: 0 }]);
});

test('a replica that is late with its void, which a second one has done, orders none', async () => {
  const { card, order } = await unheard();
  const [payment] = world.acquirer.book.ofCard(card);
  const first = await world.startReplica({ scheduleEveryMs: TICK_MS });
  await world.letPass(order.externalId, 0);
  await become(order, { acquirer_id: payment?.id });
  const held = holdingAnswer();
  world.acquirer.next('inspect', held.behaviour);
  await world.letPass(order.externalId, 15 * 60);
  await held.arrived;
  const second = await world.startReplica({ scheduleEveryMs: TICK_MS });
  await become(order, { status: 'DECLINED', decline_reason: 'voided', is_voiding: false });

  held.release();
  await first.stop();

  expect(world.acquirer.requestsFor(payment?.id ?? '', 'cancel')).toHaveLength(1);
  expect(payment).toMatchObject({ status: 'canceled', canceledAmount: 2500 });
  await become(order, { status: 'DECLINED', decline_reason: 'voided', is_watched: false });
  await second.stop();
});

test('a replica whose question is answered after its lease, with no such order, ends no attempt', async () => {
  const { order } = await unheard({ fate: 'processing' });
  const held = holdingAnswer(() => ({ status: 200, body: { data: [] } }));
  world.acquirer.next('find', held.behaviour);
  const first = await world.startReplica({ scheduleEveryMs: TICK_MS });
  await world.letPass(order.externalId, 121);
  await held.arrived;
  await isFree(order);
  const second = await world.startReplica({ scheduleEveryMs: TICK_MS });
  const rests = `SELECT 1 FROM charges WHERE external_id = $1 AND lease_token IS NULL AND next_check_at > now()`;
  await eventually(async () => expect(await world.database.query(rests, [order.externalId])).toHaveLength(1));

  held.release();
  await first.stop();

  await become(order, { status: 'PENDING', decline_reason: null });
  await second.stop();
});
