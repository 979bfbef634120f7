import { randomUUID } from 'node:crypto';
import { ApiError, type Plataforma } from '@plataforma/sdk';
import { expressWebhook } from '@plataforma/sdk/webhooks';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { apply, paidChargeOf } from './orders.ts';
import { cartPage, homePage, orderPage, problemPage, products } from './pages.ts';
import type { Order, Store } from './store.ts';

export function createShop(plataforma: Plataforma, store: Store): Express {
  const app = express();
  const onEvent = (event: Parameters<typeof apply>[1]) => apply(store, event);
  const on = { 'charge.paid': onEvent, 'charge.refunded': onEvent, 'charge.expired': onEvent };
  app.post('/webhooks', expressWebhook({ secret: store.secret, on }));

  app.use(express.static(`${import.meta.dirname}/../public`), express.urlencoded());
  app.get('/', (_request, response) => void response.send(homePage()));
  // The id of the new order is in the form. If the buyer sends the form twice, the shop creates only one
  // order.
  app.get('/cart', ({ query }, response) => void response.send(cartPage(randomUUID(), cartOf({ ...query }))));
  app.post('/orders/:id', async ({ params: { id }, body }, response) => {
    store.add({ id, ...cartOf(body), payAt: null, payments: {}, shippedAt: null });
    const order = store.order(id);
    if (order && !order.payAt) {
      const payAt = await paymentOf(plataforma, order, body);
      store.change(id, (now) => ({ ...now, payAt }));
    }
    response.redirect(303, `/orders/${id}`);
  });
  app.get('/orders/:id', ({ params: { id } }, response) => {
    const order = store.order(id);
    response.status(order ? 200 : 404).send(orderPage(order));
  });
  app.use(refused);
  return app;
}

/**
 * Registers the shop's webhook at `publicUrl`, the URL at which the platform reaches the shop. Activates the
 * webhook of an earlier run again. Deletes another shop's webhook with the same URL, because this shop does
 * not have the secret of that webhook.
 */
export async function subscribe(plataforma: Plataforma, store: Store, publicUrl: string): Promise<void> {
  const url = `${publicUrl}/webhooks`;
  for await (const { id, ...webhook } of plataforma.webhooks.list()) {
    if (store.isRegistered(id)) return void (await plataforma.webhooks.update(id, { url, isActive: true }));
    if (webhook.url === url) await plataforma.webhooks.delete(id);
  }
  // A file that an older release of the shop created contains a secret without the prefix `whsec_`.
  const signatureVersion = store.secret.startsWith('whsec_') ? 'standard' : 'v1';
  store.register((await plataforma.webhooks.create({ url, secret: store.secret, signatureVersion })).id);
}

/**
 * Deletes the webhook when the shop stops. The command `reconcile` later finds the payments that arrived
 * while the shop was stopped.
 */
export async function unsubscribe(plataforma: Plataforma, store: Store): Promise<void> {
  for await (const { id } of plataforma.webhooks.list())
    if (store.isRegistered(id)) await plataforma.webhooks.delete(id);
}

/**
 * Creates a Pix charge or a payment link for the order. A repeated call sends the same externalId or
 * idempotency key, so it returns the same charge or link.
 */
async function paymentOf(plataforma: Plataforma, { id, total }: Order, buyer: Record<string, string>) {
  const { payerName = '', payerDocument = '', method } = buyer;
  const order = { amount: total, externalId: id, payerName, payerDocument };
  if (method !== 'CARD') {
    const { qrCode, qrCodeBase64 } = await plataforma.charges.create(order);
    return { code: qrCode ?? '', image: qrCodeBase64 ?? '' };
  }
  const link = { ...order, description: 'Café da Vila', methods: ['CARD' as const], uses: 1 };
  const { url } = await plataforma.paymentLinks.create(link, { idempotencyKey: `link-${id}` });
  return url === null ? null : { url };
}

function cartOf(counts: Record<string, unknown>): Pick<Order, 'items' | 'total'> {
  const all = products.map((product) => ({ ...product, count: Math.trunc(Number(counts[product.id] ?? 0)) }));
  const items = all.filter(({ count }) => count > 0 && count <= 20);
  return { items, total: items.reduce((sum, { price, count }) => sum + price * count, 0) };
}

/**
 * Refunds the whole order. A second call does not refund again, because the idempotency key contains the
 * order's id. A webhook reports the result.
 */
export async function refund(plataforma: Plataforma, store: Store, id: string): Promise<void> {
  const order = store.order(id);
  const paid = order && paidChargeOf(order);
  if (!paid) throw new Error(`the order ${id} is not paid`);
  const idempotencyKey = `refund-${id}`;
  await plataforma.charges.refund(String(paid.id), { amount: order.total }, { idempotencyKey });
}

const refused: ErrorRequestHandler = (error, _request, response, next) => {
  if (error instanceof ApiError) response.status(error.status).send(problemPage(error.message));
  else next(error);
};
