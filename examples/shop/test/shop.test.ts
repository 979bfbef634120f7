import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Plataforma } from '@plataforma/sdk';
import { eventually, freePort, joinPlatform, type SharedPlatform } from '@plataforma/testing';
import { reconcile } from '../src/reconcile.ts';
import { createShop, refund, subscribe } from '../src/shop.ts';
import { openStore, type Store } from '../src/store.ts';
import { buyerAt } from './support/buyer.ts';

let platform: SharedPlatform;
let folder: string;
let plataforma: Plataforma;
let store: Store;
let shop: Server;
let buyer: ReturnType<typeof buyerAt>;
let configId: string;
let ended: () => Promise<void>;

async function open(url: string): Promise<Server> {
  const server = createShop(plataforma, store).listen(Number(new URL(url).port), '127.0.0.1');
  await once(server, 'listening');
  await subscribe(plataforma, store, url);
  return server;
}

async function closed(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

beforeAll(async () => {
  platform = await joinPlatform();
  const { baseUrl, demo } = platform.facts;
  plataforma = new Plataforma({ baseUrl, apiKey: demo.sandboxKey });
  folder = await mkdtemp(join(tmpdir(), 'plataforma-shop-'));
  store = openStore(join(folder, 'shop.sqlite'));
  const url = `http://127.0.0.1:${await freePort(null)}`;
  shop = await open(url);
  buyer = buyerAt(url, baseUrl);
  configId = (await plataforma.webhooks.list().page(1)).data[0]?.id ?? '';
  ended = async () => {
    await closed(shop);
    await rm(folder, { recursive: true });
  };
});

afterAll(() => ended());

const faults = (kind: 'duplicate' | 'reorder' | 'bad_signature' | 'drop', count = 1) =>
  plataforma.sandbox.webhookFaults.create({ webhookId: configId, kind, count });

const chargeOf = async (orderId: string) =>
  (await plataforma.charges.list({ externalId: orderId }).page(1)).data[0]?.id ?? '';

/** Returns the error and the status code of every attempt to deliver a webhook about the charge. */
async function attemptsOf(chargeId: string) {
  const { data } = await plataforma.deliveries.list({ resourceId: chargeId }).page(1);
  const stories = await Promise.all(data.map(({ id }) => plataforma.deliveries.get(id)));
  return stories.flatMap(({ attempts }) => attempts.map(({ fault, statusCode }) => [fault, statusCode]));
}

/** Places an order with payment by Pix, and does not pay it. */
async function pixOrder(counts: string) {
  const cart = await buyer.cart(counts);
  await cart.send('PIX');
  return { ...cart, chargeId: await chargeOf(cart.id) };
}

async function paidPixOrder(counts: string) {
  const order = await pixOrder(counts);
  await plataforma.charges.simulatePayment(order.chargeId);
  await buyer.waitFor(order.path, 'Pedido pago');
  return order;
}

test('a cart sent repeatedly becomes one order and one charge', async () => {
  const { id, path, send } = await buyer.cart('cafe=2&caneca=1');

  await Promise.all([send('PIX'), send('PIX')]);
  await send('CARD');

  const { data } = await plataforma.charges.list({ externalId: id }).page(1);
  expect(data).toEqual([
    expect.objectContaining({ amount: 11_980, paymentMethod: 'PIX', status: 'PENDING' }),
  ]);
  expect(await buyer.page(path)).toContain((await plataforma.charges.get(data[0]?.id ?? '')).qrCode);
});

test('duplicate and forged events ship the order once', async () => {
  await faults('bad_signature');
  await faults('duplicate');

  const { id, chargeId } = await paidPixOrder('filtro=1');

  const shippedAt = store.order(id)?.shippedAt;
  expect(shippedAt).not.toBeNull();
  await eventually(async () =>
    expect(await attemptsOf(chargeId)).toEqual([
      ['bad_signature', 401],
      ['duplicate', 200],
    ]),
  );
  expect(store.order(id)?.shippedAt).toBe(shippedAt);
});

test('after a declined card, another card pays the order', async () => {
  const { path, send, id } = await buyer.cart('caneca=2');
  await send('CARD');
  const [, link = ''] = /href="([^"]+\/pay\/l\/[^"]+)"/.exec(await buyer.page(path)) ?? [];

  const declined = await buyer.payCard(link, '4000000000000028');
  expect(await buyer.page(path)).toContain('Falta pagar');
  const paid = await buyer.payCard(link, '4000000000000010');
  await buyer.waitFor(path, 'Pedido pago');

  expect([declined, paid]).toEqual(['CARD_DECLINED', null]);
  expect(store.order(id)?.shippedAt).not.toBeNull();
});

test('a refund received before its payment ships nothing', async () => {
  await paidPixOrder('cafe=5');
  const { id, path, chargeId } = await pixOrder('cafe=1');
  await faults('reorder');
  await plataforma.charges.simulatePayment(chargeId);
  await eventually(async () => expect((await plataforma.charges.get(chargeId)).status).toBe('PAID'));

  await plataforma.charges.refund(chargeId, { amount: 3_890 });
  await buyer.waitFor(path, 'Pedido devolvido');

  await eventually(async () =>
    expect(await attemptsOf(chargeId)).toEqual(
      expect.arrayContaining([
        ['reorder', 200],
        [null, 200],
      ]),
    ),
  );
  expect(await buyer.page(path)).toContain('Pedido devolvido');
  expect(store.order(id)?.shippedAt).toBeNull();
});

test('an order is not shipped for a payment of another sum', async () => {
  const id = randomUUID();
  store.add({ id, items: [], total: 5_000, payAt: null, payments: {}, shippedAt: null });
  const payer = { payerName: 'Maria da Silva', payerDocument: '12345678909' };
  const charge = await plataforma.charges.create({ amount: 500, externalId: id, ...payer });

  await plataforma.charges.simulatePayment(charge.id);
  await eventually(async () => expect(store.order(id)?.payments[charge.id]?.data.status).toBe('PAID'));

  expect(store.order(id)?.shippedAt).toBeNull();
});

test('the shop has fewer than 380 lines, as its README says', () => {
  const folder = join(__dirname, '../src');
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').match(/\n/g));

  expect(lines.length).toBeLessThan(380);
});

test('a refund pressed twice is paid back once', async () => {
  const { id, path, chargeId } = await paidPixOrder('filtro=2');

  await Promise.allSettled([refund(plataforma, store, id), refund(plataforma, store, id)]);
  await buyer.waitFor(path, 'Pedido devolvido');

  expect(await plataforma.charges.get(chargeId)).toMatchObject({ status: 'REFUNDED', refundedAmount: 3_100 });
});

test('reconciliation finds a payment made while the shop was offline', async () => {
  const url = `http://127.0.0.1:${new URL(`http://${shopAddress()}`).port}`;
  const { id, path, chargeId } = await pixOrder('cafe=3');
  await closed(shop);
  await plataforma.webhooks.update(configId, { isActive: false });
  await plataforma.charges.simulatePayment(chargeId);
  await eventually(async () => expect(await lastOfStatement()).toContain(chargeId));

  const found = await reconcile(plataforma, store);
  await plataforma.webhooks.update(configId, { isActive: true });
  shop = await open(url);
  const again = await reconcile(plataforma, store);

  expect(found).toMatchObject({ mended: [id], differences: [], others: 0 });
  expect(again).toEqual({ ...found, mended: [] });
  expect(await buyer.page(path)).toContain('Pedido pago');
  const { totalEarned, totalFeesPaid, availableBalance, pendingBalance } = await plataforma.wallet.balance();
  expect(again).toMatchObject({ CREDIT: totalEarned, FEE: -totalFeesPaid });
  expect(again.CREDIT + again.FEE + again.REFUND).toBe(availableBalance + pendingBalance);
  expect((await plataforma.webhooks.list().page(1)).meta.total).toBe(1);
});

function shopAddress(): string {
  const address = shop.address();
  return typeof address === 'object' && address ? `127.0.0.1:${address.port}` : '';
}

async function lastOfStatement() {
  return (await plataforma.wallet.statement().page(1)).data.map(({ chargeId }) => chargeId);
}
