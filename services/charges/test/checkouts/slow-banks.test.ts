import { expect, test } from '@jest/globals';
import { pools } from '@plataforma/http';
import type { Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { blockingAnswer } from '../support/blocking-answer.ts';
import { startCheckoutWorld } from '../support/checkout-world.ts';
import type { Operation } from '../support/fake-pix.ts';

const world = worldOfFile(() => startCheckoutWorld({ tuning: { providerTimeoutMs: 30_000 } }));

/**
 * The slots of one sandbox account. All sandboxes share half of the slots, and one account gets at most a
 * ninth of this half.
 */
const shareOf = (total: number) => Math.floor(total / 2 / 9);
const CROWD = 20;

async function buyersOf(shop: Tenant, count: number) {
  const { slug } = await world.newLink(shop);
  return Promise.all(Array.from({ length: count }, () => world.buyer(slug)));
}

/**
 * Starts a provider that answers no request of the operation until `release` is called. `begun` counts the
 * received requests.
 */
function slowBank(operation: Operation) {
  const blocked = blockingAnswer();
  const before = world.provider.requests.length;
  world.provider.always(operation, blocked.behaviour);
  return {
    begun: () =>
      world.provider.requests.slice(before).filter((request) => request.operation === operation).length,
    quick: () => world.provider.always(operation),
    release: blocked.release,
  };
}

test('a slow bank of one sandbox delays no buyer of another shop', async () => {
  const crowd = await buyersOf(world.newShop(), CROWD);
  const [beside] = await buyersOf(world.newShop(), 1);
  const [production] = await buyersOf(world.newShop({}, 'production'), 1);
  const bank = slowBank('create');

  const slow = crowd.map((buyer) => buyer.byPix());
  await eventually(() => expect(bank.begun()).toBe(shareOf(pools.buyerPayments.total)));
  bank.quick();
  const others = await Promise.all([beside?.byPix(), production?.byPix()]);
  const refused = await Promise.all(slow.slice(-1));
  bank.release();
  const answers = await Promise.all(slow);

  expect(others).toMatchObject([{ status: 200 }, { status: 200 }]);
  expect(refused).toMatchObject([{ status: 503, error: { code: 'SERVICE_UNAVAILABLE' } }]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(shareOf(pools.buyerPayments.total));
});

test('a slow bank of one sandbox delays no callback of production', async () => {
  const charges = async (shop: Tenant, count: number) =>
    Promise.all(Array.from({ length: count }, () => world.client.newCharge(shop)));
  const crowd = await charges(world.newShop(), CROWD);
  const shop = world.newShop({}, 'production');
  const [paid] = await charges(shop, 1);
  world.provider.book.pay(paid?.txid ?? '');
  const bank = slowBank('read');

  const slow = crowd.map(({ txid }) => world.client.notify(txid));
  await eventually(() => expect(bank.begun()).toBe(shareOf(pools.callbackReads.total)));
  bank.quick();
  const notified = await world.client.notify(paid?.txid);
  bank.release();
  await Promise.all(slow);

  expect(notified.status).toBe(200);
  expect(await world.client.charge(shop, paid?.id ?? '')).toMatchObject({ status: 'PAID' });
});
