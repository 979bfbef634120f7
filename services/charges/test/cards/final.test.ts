import { describe, expect, test } from '@jest/globals';
import { error500, eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { sharedCardWorld } from '../support/card-world.ts';
import { codeOf } from '../support/client.ts';

const world = worldOfFile(sharedCardWorld);

describe('a paid card charge', () => {
  test('can’t be cancelled', async () => {
    const shop = world.newShop();
    const { id, acquirerId } = await world.paidCharge(shop);

    expect(await codeOf(world.client.cancel(shop, id))).toEqual([409, 'CHARGE_NOT_CANCELLABLE']);
    expect((await world.client.charge(shop, id)).status).toBe('PAID');
    expect(world.acquirer.requestsFor(acquirerId, 'cancel')).toEqual([]);
    expect(world.provider.requests.filter(({ operation }) => operation === 'remove')).toEqual([]);
  });

  test('can’t be paid by simulation', async () => {
    const shop = world.newShop();
    const { id } = await world.paidCharge(shop);

    const { status, error } = await world.client.simulate(shop, id);
    const late = await world.client.payInSandbox(shop, id, { late: true });

    expect([status, error?.code]).toEqual([409, 'CHARGE_NOT_PAYABLE']);
    expect([late.status, late.error?.code]).toEqual([409, 'CHARGE_NOT_PAYABLE']);
    expect(await world.eventsOf(id)).toHaveLength(1);
    expect(world.provider.requests.filter(({ operation }) => operation === 'pay')).toEqual([]);
  });

  test('never expires', async () => {
    const shop = world.newShop();
    const charge = await world.paidCharge(shop);
    await world.letTimeRunOut(charge.id);
    const pix = await world.client.newCharge(shop);

    await world.letTimeRunOut(pix.id);
    await eventually(async () => expect((await world.client.charge(shop, pix.id)).status).toBe('EXPIRED'));

    expect((await world.client.charge(shop, charge.id)).status).toBe('PAID');
    expect(await world.eventsOf(charge.id)).toHaveLength(1);
  });
});

describe('a card charge with an unknown outcome', () => {
  test('can’t be read, cancelled or simulated, and never expires', async () => {
    const { shop, order } = world.ordered();
    world.acquirer.next('pay', error500);
    world.acquirer.always('find', error500);
    await world.client.create(shop, order);
    const [attempt] = await world.attemptsOf(order.externalId);
    const id = attempt?.id ?? '';

    const answers = await Promise.all([
      world.client.read(shop, id),
      world.client.checkout(id),
      world.client.cancel(shop, id),
      world.client.simulate(shop, id),
    ]);
    const requestsBefore = world.acquirer.requestsFor(id, 'find').length;
    await world.letTimeRunOut(id);
    await eventually(() =>
      expect(world.acquirer.requestsFor(id, 'find').length).toBeGreaterThan(requestsBefore),
    );

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(await world.attemptsOf(order.externalId)).toMatchObject([{ status: 'PENDING' }]);
    expect(await world.eventsOf(id)).toEqual([]);
    world.acquirer.always('find');
  });
});
