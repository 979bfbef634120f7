import { createHmac } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { readCode } from '@plataforma/brcode';
import { compactVerify, createRemoteJWKSet, decodeProtectedHeader } from 'jose';
import { eventually, type FakeMerchant, type Platform } from '../../src/index.ts';
import { anOrder, type Client, clientOf, openAccount } from './client.ts';
import type { World } from './world.ts';

/** Tests the first charge of a merchant. Each test uses the data that the previous test has created. */
export function testFirstCharge(world: () => World): void {
  let platform: Platform;
  let shop: FakeMerchant;
  let merchant: Client;

  beforeAll(async () => {
    ({ platform } = world());
    shop = await world().openShop();
    ({ merchant } = await openAccount(clientOf(platform.facts.baseUrl)));
  });

  let webhookSecret: string;
  let chargeId: string;

  test('a new charge has a code with a signed payload', async () => {
    const order = anOrder({ amount: 12_345 });

    const created = await merchant.post('/v1/charges', order);
    const again = await merchant.post('/v1/charges', order);
    const conflict = await merchant.post('/v1/charges', { ...order, amount: 12_346 });

    expect(created.status).toBe(201);
    expect(created.data).toMatchObject({
      amount: 12_345,
      feeAmount: 122,
      netAmount: 12_223,
      status: 'PENDING',
      paymentMethod: 'PIX',
      qrCodeBase64: expect.stringMatching(/^data:image\/png;base64,iVBORw0KGgo/),
    });
    const lifetime = Date.parse(String(created.data.expiresAt)) - Date.parse(String(created.data.createdAt));
    expect(lifetime).toBe(3_600_000);
    expect([again.status, again.data.id, again.data.txid]).toEqual([200, created.data.id, created.data.txid]);
    expect([conflict.status, conflict.body.error?.code]).toEqual([409, 'EXTERNAL_ID_CONFLICT']);

    const code = readCode(String(created.data.qrCode));
    if (!code.ok || code.code.kind !== 'dynamic') throw new Error('not a dynamic code');
    const answer = await fetch(`http://${code.code.url}`);
    const jws = await answer.text();
    expect(answer.headers.get('content-type')).toMatch(/^application\/jose/);
    const keys = createRemoteJWKSet(new URL(String(decodeProtectedHeader(jws).jku)));
    const payload = JSON.parse(Buffer.from((await compactVerify(jws, keys)).payload).toString());
    expect(payload).toMatchObject({
      txid: created.data.txid,
      status: 'ATIVA',
      valor: { original: '123.45' },
    });
  });

  test('bad input is a VALIDATION_ERROR that names the field', async () => {
    const answer = await merchant.post('/v1/charges', anOrder({ amount: '2500' }));

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      success: false,
      error: { code: 'VALIDATION_ERROR', message: expect.stringMatching(/^amount: /) },
    });
  });

  test('a webhook is configured; its secret is shown once', async () => {
    const created = await merchant.post('/v1/webhook-config', { url: `${shop.url}/hooks` });
    const listed = await merchant.get('/v1/webhook-config');

    expect(created.status).toBe(201);
    webhookSecret = String(created.data.secret);
    expect(webhookSecret.length).toBeGreaterThanOrEqual(16);
    expect(listed.list).toEqual([
      {
        id: created.data.id,
        url: `${shop.url}/hooks`,
        events: [],
        isActive: true,
        signatureVersion: 'v1',
        retrySchedule: 'short',
        health: 'unknown',
        createdAt: expect.any(String),
      },
    ]);
  });

  test('a simulated payment marks the charge PAID and credits it', async () => {
    shop.answer(() => ({ status: shop.deliveries.length === 1 ? 500 : 200 }));
    const before = await merchant.get('/v1/balance');
    const charge = await merchant.post('/v1/charges', anOrder({ amount: 10_000 }));
    chargeId = String(charge.data.id);

    const paid = await merchant.post(`/v1/charges/${chargeId}/simulate-payment`);

    expect(before.data).toMatchObject({ availableBalance: 0, totalEarned: 0 });
    expect(paid.status).toBe(200);
    expect(paid.data).toMatchObject({
      id: chargeId,
      txid: charge.data.txid,
      status: 'PAID',
      paidAt: expect.any(String),
    });
    await eventually(async () => {
      const { data } = await merchant.get('/v1/balance');
      expect(data).toEqual({
        availableBalance: 9_901,
        withdrawableBalance: 9_901,
        disputeDebt: 0,
        pendingBalance: 0,
        reservedBalance: 0,
        blockedBalance: 0,
        totalEarned: 10_000,
        totalWithdrawn: 0,
        totalFeesPaid: 99,
        breakdown: {
          PIX: { availableBalance: 9_901, pendingBalance: 0 },
          CARD: { availableBalance: 0, pendingBalance: 0 },
          BOLETO: { availableBalance: 0, pendingBalance: 0 },
        },
      });
    });
  });

  test('a signed webhook reaches the shop, again after a 500', async () => {
    const first = await shop.waitFor(() => shop.deliveries.length >= 1);
    await eventually(() => expect(shop.deliveries).toHaveLength(2));
    const [, second] = shop.deliveries;

    expect(second?.body.equals(first.body)).toBe(true);
    expect(second?.headers['x-webhook-id']).toBe(first.headers['x-webhook-id']);
    expect((second?.receivedAt ?? 0) - first.receivedAt).toBeGreaterThanOrEqual(1_900);
    const signature = `sha256=${createHmac('sha256', webhookSecret).update(first.body).digest('hex')}`;
    expect(first.headers).toMatchObject({
      'x-webhook-signature': signature,
      'content-type': 'application/json',
      'user-agent': 'Plataforma-Webhook/1.0',
    });
    const message = JSON.parse(first.body.toString());
    expect(Object.keys(message)).toEqual(['event', 'data', 'timestamp', 'eventId', 'sequence']);
    expect(message.event).toBe('charge.paid');
    expect(message.data).toEqual({
      id: chargeId,
      txid: expect.any(String),
      metadata: {},
      amount: 10_000,
      netAmount: 9_901,
      feeAmount: 99,
      status: 'PAID',
      paidAt: expect.any(String),
      externalId: expect.any(String),
      paymentMethod: 'PIX',
      endToEndId: expect.stringMatching(/^E\w{31}$/),
      ...{ installments: null, cardBrand: null, nsu: null, authorizationCode: null, acquirerId: null },
    });
  });

  test('charges are listed, read, shown for checkout and cancelled', async () => {
    const charge = await merchant.post('/v1/charges', anOrder({ description: 'Um par de sapatos' }));
    const { id } = charge.data;

    const checkout = await clientOf(platform.facts.baseUrl).get(`/v1/charges/${id}/checkout`);
    const cancelled = await merchant.delete(`/v1/charges/${id}`);
    const read = await merchant.get(`/v1/charges/${id}`);
    const afterwards = await clientOf(platform.facts.baseUrl).get(`/v1/charges/${id}/checkout`);
    const paid = await merchant.get('/v1/charges?status=PAID');
    const tooLate = await merchant.delete(`/v1/charges/${chargeId}`);

    expect(checkout.data).toMatchObject({
      description: 'Um par de sapatos',
      merchantName: 'Loja da Maria',
      status: 'PENDING',
    });
    expect(checkout.data.qrCode).toBe(charge.data.qrCode);
    expect(JSON.stringify(checkout.body)).not.toMatch(/12345678909|Silva/);
    expect(cancelled.data).toEqual({ message: expect.any(String) });
    expect(read.data.status).toBe('CANCELLED');
    expect(afterwards.data).not.toHaveProperty('qrCode');
    expect(paid.list.map(({ id: listed }) => listed)).toEqual([chargeId]);
    expect(paid.body.meta).toEqual({ total: 1, page: 1, limit: 20, pages: 1 });
    expect([tooLate.status, tooLate.body.error?.code]).toEqual([409, 'CHARGE_NOT_CANCELLABLE']);
  });

  test('an unpaid charge expires and the shop is notified', async () => {
    const charge = await merchant.post('/v1/charges', anOrder({ expiresIn: 1 }));

    const delivery = await shop.waitFor(({ body }) => body.includes('charge.expired'));

    const message = JSON.parse(delivery.body.toString());
    expect(message.data).toMatchObject({ id: charge.data.id, status: 'EXPIRED', paidAt: null });
    expect((await merchant.get(`/v1/charges/${charge.data.id}`)).data.status).toBe('EXPIRED');
  });
}
