import { expect, test } from '@jest/globals';
import { type Answer, eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { paid } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);

/**
 * Creates a merchant with one configuration. Its server chooses the response by the number of the request.
 */
async function merchantAnswering(answer: (nth: number) => Answer, of = world) {
  const shop = await of.startMerchant();
  shop.answer((delivery) => answer(shop.deliveries.indexOf(delivery) + 1));
  const tenant = newTenant();
  await of.configure(tenant, { url: shop.url });
  return { shop, tenant };
}

const hang: () => Answer = () => ({ status: 200, delayMs: 60_000 });
/** A timeout that is longer than an attempt to an endpoint that answers, even on a busy machine. */
const HANGS_MS = 12_000;

test('a hanging endpoint with a thousand deliveries delays no other', async () => {
  const hanging = await merchantAnswering(hang);
  const quick = await merchantAnswering(() => ({ status: 200 }));
  await world.emitter.announce(...Array.from({ length: 1_000 }, () => paid(hanging.tenant)));
  await eventually(() => expect(hanging.shop.deliveries).toHaveLength(4));

  for (let i = 0; i < 10; i += 1) {
    const event = paid(quick.tenant);
    await world.emitter.announce(event);
    await quick.shop.waitFor(({ body }) => body.includes(event.data.id));
  }

  const untried = await world.database.query(
    'SELECT id FROM deliveries WHERE merchant_id = $1 AND attempts = 0',
    [hanging.tenant.merchantId],
  );
  expect(untried.length).toBeGreaterThan(900);
  await hanging.shop.stop();
});

test('a busy endpoint gets the next delivery after each answer', async () => {
  // The interval of the poll is an hour, so only an answer can start the next request. Sixteen requests may
  // run at a time.
  const unpolled = await startWorld({ pollMs: 3_600_000, attemptTimeoutMs: 60_000, leaseMs: 120_000 });
  const { shop, tenant } = await merchantAnswering(() => ({ status: 200 }), unpolled);

  await unpolled.emitter.announce(...Array.from({ length: 400 }, () => paid(tenant)));

  await eventually(() => expect(shop.deliveries).toHaveLength(400));
  await unpolled.stop();
});

test('many hanging endpoints leave slots to healthy ones at any time', async () => {
  const narrow = await startWorld({
    limits: { total: 128, perEndpoint: 16 },
    attemptTimeoutMs: HANGS_MS,
    leaseMs: 2 * HANGS_MS,
  });
  const hanging = await narrow.startMerchant();
  const shop = await narrow.startMerchant();
  hanging.answer(hang);
  const tenant = newTenant();
  await narrow.configure(tenant, { url: shop.url });
  const deliverOne = async () => {
    const event = paid(tenant);
    await narrow.emitter.announce(event);
    await shop.waitFor(({ body }) => body.includes(event.data.id), 0.8 * HANGS_MS);
  };
  await deliverOne();
  const others = Array.from({ length: 60 }, newTenant);
  for (const [n, other] of others.entries()) await narrow.configure(other, { url: `${hanging.url}/${n}` });

  for (let round = 0; round < 4; round += 1)
    await narrow.emitter.announce(...others.map((other) => paid(other)));
  await hanging.waitFor(() => true);

  const until = performance.now() + 2.2 * HANGS_MS;
  while (performance.now() < until) await deliverOne();
  expect(new Set(hanging.deliveries.map(({ path }) => path)).size).toBeGreaterThan(20);
  await Promise.all([narrow.stop(), hanging.stop()]);
});
