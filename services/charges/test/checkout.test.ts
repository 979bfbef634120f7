import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { newTenant } from './support/identity.ts';
import { sharedRefundWorld } from './support/refund-world.ts';

const world = worldOfFile(sharedRefundWorld);

async function pending() {
  const tenant = newTenant();
  const charge = await world.client.newCharge(tenant, {
    description: 'Camiseta',
    payerEmail: 'maria@example.com',
  });
  return { tenant, charge, checkout: () => world.client.checkout(charge.id) };
}

describe('the checkout of a charge', () => {
  test('shows only the fields that a buyer needs', async () => {
    const { charge, checkout } = await pending();

    const { status, data } = await checkout();

    const { id, amount, description, expiresAt, paymentMethod, qrCode, qrCodeBase64 } = charge;
    expect(status).toBe(200);
    expect(data).toEqual({
      ...{ id, amount, status: 'PENDING', description, expiresAt, paymentMethod, qrCode, qrCodeBase64 },
      ...{ merchantName: 'Loja da Maria', merchantCnpj: '34665388000161', merchantPhone: '11987654321' },
      checkoutColor: '#0a7f5a',
      environment: 'sandbox',
      ...{ paidAt: null, endToEndId: null },
      ...{ refundedAmount: null, refundedAt: null, disputedAmount: null, disputedAt: null },
      ...{ installments: null, cardBrand: null, cardLastDigits: null },
      ...{ logo: null, unexpectedPayments: [] },
      serverTime: expect.any(String),
    });
  });

  test('has the server’s time for a countdown', async () => {
    const { checkout } = await pending();

    const { serverTime, expiresAt } = api.getCheckout.data.parse((await checkout()).data);

    expect(Math.abs(Date.parse(serverTime) - Date.now())).toBeLessThan(60_000);
    expect(Date.parse(serverTime)).toBeLessThan(Date.parse(expiresAt ?? ''));
  });

  test('may be read by any web page', async () => {
    const { checkout } = await pending();

    const { headers } = await checkout();

    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  test('shows null for a missing description', async () => {
    const { id } = await world.client.newCharge(newTenant());

    expect((await world.client.checkout(id)).data).toMatchObject({ description: null });
  });

  test('has the same fields for a production charge', async () => {
    const { id } = await world.client.newCharge(newTenant('production'));

    expect((await world.client.checkout(id)).data).toMatchObject({
      id,
      status: 'PENDING',
      environment: 'production',
      qrCode: expect.any(String),
    });
  });
});

describe('the checkout of an ended charge', () => {
  const ends: [string, (of: Awaited<ReturnType<typeof pending>>) => Promise<unknown>][] = [
    ['PAID', ({ tenant, charge }) => world.client.simulate(tenant, charge.id)],
    ['CANCELLED', ({ tenant, charge }) => world.client.cancel(tenant, charge.id)],
    ['EXPIRED', ({ charge }) => world.letTimeRunOut(charge.id)],
  ];

  test.each(ends)('has the status %s and no code', async (status, end) => {
    const story = await pending();

    await end(story);

    await eventually(async () => expect((await story.checkout()).data).toMatchObject({ status }));
    const { data } = await story.checkout();
    expect(data).toMatchObject({ id: story.charge.id, amount: 2500 });
    expect(data).not.toHaveProperty('qrCode');
    expect(data).not.toHaveProperty('qrCodeBase64');
  });
});

describe('the checkout of a paid charge', () => {
  test('has the time and the number of the payment', async () => {
    const { id, pix, now } = await world.paidCharge();

    const { data } = await world.client.checkout(id);

    const { paidAt } = await now();
    expect(data).toMatchObject({ status: 'PAID', paidAt, endToEndId: pix, refundedAmount: null });
    expect(paidAt).toEqual(expect.any(String));
  });

  test('has the refunded amount and its time', async () => {
    const charge = await world.paidCharge();

    await charge.refund({ amount: 700, reason: 'Não serviu' });

    const { data } = await world.client.checkout(charge.id);
    const { refundedAt } = await charge.now();
    expect(data).toMatchObject({ status: 'REFUNDED', refundedAmount: 700, refundedAt, disputedAmount: null });
    expect(JSON.stringify(data)).not.toContain('Não serviu');
  });

  test('has the disputed amount until the dispute is resolved', async () => {
    const charge = await world.paidCharge();
    const opened = await world.dispute(charge.id, { amount: 1000 });
    const { id, createdAt } = api.openDispute.data.parse(opened.data);

    const disputed = await world.client.checkout(charge.id);
    await world.operate(`/disputes/${id}/resolve`, {
      outcome: 'MERCHANT',
      resolution: 'Entrega comprovada',
    });
    const resolved = await world.client.checkout(charge.id);

    const since = { disputedAmount: 1000, disputedAt: createdAt };
    expect(disputed.data).toMatchObject({ status: 'DISPUTED', ...since });
    expect(resolved.data).toMatchObject({ status: 'PAID', disputedAmount: null, disputedAt: null });
  });
});
