import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { newTenant } from './support/identity.ts';
import { sharedWorld, type World } from './support/world.ts';

let world: World;

beforeAll(async () => {
  world = await sharedWorld();
});
afterAll(() => world.stop());

describe('money that is not expected', () => {
  const pending = async () => {
    const tenant = newTenant();
    return { tenant, charge: await world.client.newCharge(tenant) };
  };
  const read = async (id: string) => ({
    payments: (await world.paymentsOf(id)).map(({ amount_cents, is_expected }) => [
      amount_cents,
      is_expected,
    ]),
    events: (await world.eventsOf(id)).map(({ type }) => type),
  });

  test.each([2499, 2501, 1])(
    'of %i for a charge of 2500 is recorded, and the charge stays PENDING',
    async (amount) => {
      const { tenant, charge } = await pending();
      world.provider.book.pay(charge.txid, { amount });

      await world.client.notify(charge.txid);
      await world.client.notify(charge.txid);

      expect(await world.client.charge(tenant, charge.id)).toEqual(charge);
      expect(await read(charge.id)).toEqual({ payments: [[amount, false]], events: [] });
    },
  );

  test('a second time is recorded beside the one that paid', async () => {
    const { tenant, charge } = await pending();
    world.provider.book.pay(charge.txid, { times: 2 });
    await world.client.notify(charge.txid);
    world.provider.book.pay(charge.txid, { insists: true });

    await world.client.notify(charge.txid);

    const { endToEndId } = await world.client.charge(tenant, charge.id);
    const { payments, events } = await read(charge.id);
    const expected = (await world.paymentsOf(charge.id)).filter(({ is_expected }) => is_expected);
    expect(payments).toHaveLength(3);
    expect(expected.map(({ end_to_end_id }) => end_to_end_id)).toEqual([endToEndId]);
    expect(events).toEqual(['charge.paid']);
  });

  test('does not stand in the way of the right amount', async () => {
    const { tenant, charge } = await pending();
    world.provider.book.pay(charge.txid, { amount: 1000 });
    world.provider.book.pay(charge.txid, { insists: true });

    await world.client.notify(charge.txid);

    expect((await world.client.charge(tenant, charge.id)).status).toBe('PAID');
    expect(await read(charge.id)).toEqual({
      payments: [
        [2500, true],
        [1000, false],
      ],
      events: ['charge.paid'],
    });
  });

  test('after expiry is recorded, and the charge stays EXPIRED', async () => {
    const { tenant, charge } = await pending();
    await world.letTimeRunOut(charge.id);
    await eventually(async () =>
      expect(await world.client.charge(tenant, charge.id)).toMatchObject({ status: 'EXPIRED' }),
    );
    world.provider.book.pay(charge.txid);

    await world.client.notify(charge.txid);

    expect(await world.client.charge(tenant, charge.id)).toMatchObject({ status: 'EXPIRED', paidAt: null });
    expect(await read(charge.id)).toEqual({ payments: [[2500, false]], events: ['charge.expired'] });
  });

  test('after a cancel is recorded, and the charge stays CANCELLED', async () => {
    const { tenant, charge } = await pending();
    await world.client.cancel(tenant, charge.id);
    world.provider.book.pay(charge.txid, { insists: true });

    await world.client.notify(charge.txid);

    expect(await world.client.charge(tenant, charge.id)).toMatchObject({ status: 'CANCELLED', paidAt: null });
    expect(await read(charge.id)).toEqual({ payments: [[2500, false]], events: [] });
  });
});
