import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { newTenant } from './support/identity.ts';
import { startWorld, type World } from './support/world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

async function pending() {
  const tenant = newTenant();
  const charge = await world.client.newCharge(tenant, {
    description: 'Camiseta',
    payerEmail: 'maria@example.com',
  });
  return { tenant, charge, checkout: () => world.client.checkout(charge.id) };
}

describe('the checkout of a charge', () => {
  test('shows what a buyer needs and nothing else', async () => {
    const { charge, checkout } = await pending();

    const { status, data } = await checkout();

    const { id, amount, description, expiresAt, paymentMethod, qrCode, qrCodeBase64 } = charge;
    expect(status).toBe(200);
    expect(data).toEqual({
      ...{ id, amount, status: 'PENDING', description, expiresAt, paymentMethod, qrCode, qrCodeBase64 },
      merchantName: 'Loja da Maria',
      checkoutColor: '#0a7f5a',
    });
  });

  test('may be read by any web page', async () => {
    const { checkout } = await pending();

    const { headers } = await checkout();

    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  test('shows null for a description that was not given', async () => {
    const { id } = await world.client.newCharge(newTenant());

    expect((await world.client.checkout(id)).data).toMatchObject({ description: null });
  });

  test('is the same for a charge in production', async () => {
    const { id } = await world.client.newCharge(newTenant('production'));

    expect((await world.client.checkout(id)).data).toMatchObject({
      id,
      status: 'PENDING',
      qrCode: expect.any(String),
    });
  });
});

describe('the checkout of a charge that is over', () => {
  const ends: [string, (of: Awaited<ReturnType<typeof pending>>) => Promise<unknown>][] = [
    ['PAID', ({ tenant, charge }) => world.client.simulate(tenant, charge.id)],
    ['CANCELLED', ({ tenant, charge }) => world.client.cancel(tenant, charge.id)],
    ['EXPIRED', ({ charge }) => world.letTimeRunOut(charge.id)],
  ];

  test.each(ends)('says %s and shows no code', async (status, end) => {
    const story = await pending();

    await end(story);

    await eventually(async () => expect((await story.checkout()).data).toMatchObject({ status }));
    const { data } = await story.checkout();
    expect(data).toMatchObject({ id: story.charge.id, amount: 2500 });
    expect(data).not.toHaveProperty('qrCode');
    expect(data).not.toHaveProperty('qrCodeBase64');
  });
});
