import { describe, expect, test } from '@jest/globals';
import { newId, type Tenant } from '@plataforma/kernel';
import { blocking, error500, eventually, openMetricsScraper, tokenEnded } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { newCharge } from '../../src/domain/new-charge.ts';
import { insertCharge } from '../../src/store/new-charges.ts';
import { methods, scopes, scopesOfOthers, startStopWorld } from '../support/stop-world.ts';

const scraper = beforeFile(openMetricsScraper);
const world = worldOfFile(() => startStopWorld({ METRICS_PORT: String(scraper.port) }));

const storedOf = ({ merchantId }: Tenant) =>
  world.database.query<{ id: string; qr_code: string | null }>(
    'SELECT id, qr_code FROM charges WHERE merchant_id = $1',
    [merchantId],
  );
const countRequests = () => [
  world.provider.requests.filter(({ operation }) => operation === 'create').length,
  world.acquirer.requests.filter(({ operation }) => operation === 'pay').length,
];
const STOPPED = { status: 503, error: { code: 'PROVIDER_UNAVAILABLE' } };
const ORDER = { amount: 2500, externalId: 'pedido-1', payerName: 'Ana', payerDocument: '12345678909' };
const NO_CARD_RESULT = {
  ...{ acquirerId: null, brand: null, lastDigits: null, declineReason: null },
  ...{ nsu: null, authorizationCode: null, isVoiding: false, isWatched: false },
};

describe.each(methods)('a new %s charge', (method, provider) => {
  test.each(scopes)('is not stored while charges of %s are stopped', async (_whose, of) => {
    const shop = world.newShop();
    const order = world.orderBy(method);
    const key = newId();
    const stop = await world.stopControls.stop({ what: 'charges', ...of(shop, provider) });
    const before = countRequests();

    const stopped = [await world.create(shop, order, key), await world.create(shop, order)];
    const stored = await storedOf(shop);
    const orders = countRequests();
    await world.stopControls.startAgain(stop);
    const { status } = await world.create(shop, order, key);

    expect(stopped).toMatchObject([STOPPED, STOPPED]);
    expect(stopped.map(({ headers }) => Number(headers.get('retry-after')) > 0)).toEqual([true, true]);
    expect([stored, orders]).toEqual([[], before]);
    expect(status).toBe(201);
  });

  test.each(scopesOfOthers)('is made while charges of %s are stopped', async (_whose, of) => {
    const stop = await world.stopControls.stop({ what: 'charges', ...of(provider) });

    const { status } = await world.create(world.newShop(), world.orderBy(method));
    await world.stopControls.startAgain(stop);

    expect(status).toBe(201);
  });

  test('is not stored by a statement during the stop', async () => {
    const shop = world.newShop();
    const stop = await world.stopControls.stop({ what: 'charges', provider });
    const planned = newCharge(ORDER, { tenant: shop, fee: 0, now: new Date(), paymentMethod: method });
    const card = method === 'CARD' ? { ...NO_CARD_RESULT, installments: 1 } : null;
    const charge = { ...planned, card, expiresAt: method === 'PIX' ? new Date() : null };

    const store = () => insertCharge(world.database, { charge, cardTokenHash: null, merchantVersion: null });
    const during = await store();
    await world.stopControls.startAgain(stop);

    expect([during, await store()]).toEqual([false, true]);
  });

  test('from before the stop is returned to the same request', async () => {
    const shop = world.newShop();
    const order = world.orderBy(method);
    const { data } = await world.create(shop, order);
    const stop = await world.stopControls.stop({ what: 'charges' });

    const again = await world.create(shop, order, newId());
    await world.stopControls.startAgain(stop);

    expect(again).toMatchObject({ status: 200, data });
  });
});

test('a Pix charge from before the stop gets its code afterwards', async () => {
  const shop = world.newShop();
  world.provider.next('create', error500);
  await world.create(shop, world.orderBy('PIX'));
  const stop = await world.stopControls.stop({ what: 'charges', provider: 'pix' });
  const orders = countRequests();
  await world.database.query('UPDATE charges SET next_check_at = now() WHERE merchant_id = $1', [
    shop.merchantId,
  ]);
  await eventually(async () => {
    const shown = await scraper.scrape();
    expect(shown.valueOf('plataforma_stops_active', { what: 'charges' })).toBe(1);
    expect(shown.valueOf('plataforma_stops_waiting', { what: 'charges' })).toBe(1);
  });
  await eventually(async () => {
    const checked = 'SELECT 1 FROM charges WHERE merchant_id = $1 AND checks > 1';
    expect(await world.database.query(checked, [shop.merchantId])).toHaveLength(1);
  });
  expect(countRequests()).toEqual(orders);

  await world.putFarOff(shop);
  await world.stopControls.startAgain(stop);

  await eventually(async () => expect((await storedOf(shop))[0]?.qr_code).toMatch(/^000201/));
});

test('a Pix charge without a token is not registered during a stop', async () => {
  const shop = world.newShop();
  const blocked = blocking();
  world.provider.next('create', tokenEnded);
  world.provider.next('token', blocked.behaviour);
  const [before = 0] = countRequests();
  const creating = world.create(shop, world.orderBy('PIX'));
  await blocked.arrived;
  const stop = await world.stopControls.stop({ what: 'charges' });

  blocked.release();
  const answer = await creating;
  const [after = 0] = countRequests();
  await world.stopControls.startAgain(stop);

  expect(answer).toMatchObject(STOPPED);
  // The only request is the first one, which the provider refused because its token had expired.
  expect(after - before).toBe(1);
});

test('an unconfirmed card order is not sent again during a stop', async () => {
  const shop = world.newShop();
  const order = world.orderBy('CARD');
  world.acquirer.next('pay', error500);
  await world.create(shop, order);
  const stop = await world.stopControls.stop({ what: 'charges', merchantId: shop.merchantId });
  const [, before] = countRequests();

  const during = await world.create(shop, order);
  const [, after] = countRequests();
  await world.stopControls.startAgain(stop);

  expect(during).toMatchObject(STOPPED);
  expect(after).toBe(before);
  expect(await world.create(shop, order)).toMatchObject({ status: 200, data: { status: 'PAID' } });
});
