import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import type { Behaviour } from '@plataforma/testing';
import {
  answeringWith,
  blocking,
  doneThen,
  doneThen500,
  doneThenReset,
  doneThenSilence,
  error500,
  nothingHere,
  refused,
  reset,
  silence,
} from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { codeOf, newOrder } from './support/client.ts';
import { newTenant } from './support/identity.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);

async function pending() {
  const tenant = newTenant();
  const { id, txid } = await world.client.newCharge(tenant);
  const here = async () => (await world.client.charge(tenant, id)).status;
  const there = () => world.provider.book.find(txid)?.status;
  return { tenant, id, txid, here, there, cancel: () => world.client.cancel(tenant, id) };
}

const REMOVED = 'REMOVIDA_PELO_USUARIO_RECEBEDOR';

describe('cancelling a pending charge', () => {
  test('removes it at the provider and here and announces nothing', async () => {
    const { id, txid, here, there, cancel } = await pending();

    const { status, data } = await cancel();

    expect([status, data]).toEqual([200, { message: 'the charge is cancelled' }]);
    expect([await here(), there()]).toEqual(['CANCELLED', REMOVED]);
    expect(await world.eventsOf(id)).toEqual([]);
    expect(world.provider.requestsFor(txid, 'remove').map(({ body }) => JSON.parse(body))).toEqual([
      { status: REMOVED },
    ]);
  });

  test('leaves it PENDING until the provider has removed it', async () => {
    const { here, there, cancel } = await pending();
    const blocked = blocking();
    world.provider.next('remove', blocked.behaviour);

    const cancelling = cancel();
    await blocked.arrived;
    const meanwhile = await here();
    blocked.release();
    const { status } = await cancelling;

    expect([meanwhile, status, await here(), there()]).toEqual(['PENDING', 200, 'CANCELLED', REMOVED]);
  });

  test('ten times at once cancels it once and refuses nine', async () => {
    const { here, there, cancel } = await pending();

    const answers = await Promise.all(Array.from({ length: 10 }, cancel));

    const codes = answers.map(({ status, error }) => error?.code ?? status).sort();
    expect(codes).toEqual([200, ...Array(9).fill('CHARGE_NOT_CANCELLABLE')]);
    expect([await here(), there()]).toEqual(['CANCELLED', REMOVED]);
  });
});

describe('cancelling a paid charge', () => {
  test('is CHARGE_NOT_CANCELLABLE and records an unreported payment', async () => {
    const { id, txid, here, cancel } = await pending();
    world.provider.book.pay(txid);

    expect(await codeOf(cancel())).toEqual([409, 'CHARGE_NOT_CANCELLABLE']);
    expect(await here()).toBe('PAID');
    expect(await world.eventsOf(id)).toMatchObject([{ type: 'charge.paid' }]);
  });

  test('is CHARGE_NOT_CANCELLABLE without a request to the provider', async () => {
    const { txid, here, cancel } = await pending();
    world.provider.book.pay(txid);
    await world.client.notify(txid);

    const { status, error } = await cancel();

    expect([status, error?.message]).toEqual([409, 'the charge is PAID and can’t be cancelled']);
    expect([await here(), world.provider.requestsFor(txid, 'remove')]).toEqual(['PAID', []]);
  });

  test('is CHARGE_NOT_CANCELLABLE when paid after the provider’s removal', async () => {
    const { tenant, id, txid, here, cancel } = await pending();
    world.provider.next('remove', async (perform) => {
      const reply = perform();
      world.provider.book.pay(txid, { insists: true });
      await world.client.notify(txid);
      return reply;
    });

    const { status, error } = await cancel();

    expect([status, error?.code, await here()]).toEqual([409, 'CHARGE_NOT_CANCELLABLE', 'PAID']);
    expect(await world.paymentsOf(id)).toHaveLength(1);
    expect((await world.client.cancel(tenant, id)).status).toBe(409);
  });

  test('is CHARGE_NOT_CANCELLABLE and records a payment of another amount', async () => {
    const { id, txid, here, cancel } = await pending();
    world.provider.book.pay(txid, { amount: 1 });

    const { status, error } = await cancel();

    expect([status, error?.message]).toEqual([
      409,
      'the charge has received a payment and can’t be cancelled',
    ]);
    expect([await here(), (await world.paymentsOf(id)).length]).toEqual(['PENDING', 1]);
  });
});

describe('cancelling a cancelled charge', () => {
  test('is CHARGE_NOT_CANCELLABLE', async () => {
    const { here, cancel } = await pending();
    await cancel();

    const { status, error } = await cancel();

    expect([status, error?.message]).toEqual([409, 'the charge is CANCELLED and can’t be cancelled']);
    expect(await here()).toBe('CANCELLED');
  });
});

describe('cancelling at a failing provider', () => {
  test.each<[string, Behaviour[], number]>([
    ['does not answer', [silence], 503],
    ['resets the connection', [reset], 503],
    ['answers 500', [error500], 503],
    ['refuses without a reason', [refused], 502],
    ['does not find the charge', [nothingHere], 502],
  ])('that %s leaves the charge PENDING for another attempt', async (_what, behaviours, expected) => {
    const { here, there, cancel } = await pending();
    world.provider.next('remove', ...behaviours);
    world.provider.next('read', ...(expected === 502 ? behaviours : []));

    const { status, error } = await cancel();
    const [hereThen, thereThen] = [await here(), there()];
    const again = await cancel();

    expect([status, error?.code]).toEqual([
      expected,
      expected === 502 ? 'PROVIDER_ERROR' : 'PROVIDER_UNAVAILABLE',
    ]);
    expect([hereThen, thereThen]).toEqual(['PENDING', 'ATIVA']);
    expect([again.status, await here(), there()]).toEqual([200, 'CANCELLED', REMOVED]);
  });

  test.each<[string, Behaviour]>([
    ['nothing', doneThenSilence],
    ['with a reset', doneThenReset],
    ['with 500', doneThen500],
  ])('that removed the charge and answered %s works when repeated', async (_what, behaviour) => {
    const { here, there, cancel } = await pending();
    world.provider.next('remove', behaviour);

    const { status } = await cancel();
    const [hereThen, thereThen] = [await here(), there()];
    const again = await cancel();

    expect([status, hereThen, thereThen]).toEqual([503, 'PENDING', REMOVED]);
    expect([again.status, await here()]).toEqual([200, 'CANCELLED']);
  });

  test.each<[string, Behaviour]>([
    ['garbage', doneThen({ status: 200, text: 'OK' })],
    ['an unknown status', answeringWith({ status: 'EM_REMOCAO' })],
  ])('that answers %s is followed by a read of the charge', async (_what, behaviour) => {
    const { txid, here, cancel } = await pending();
    world.provider.next('remove', behaviour);

    const { status } = await cancel();

    expect([status, await here()]).toEqual([200, 'CANCELLED']);
    expect(world.provider.requestsFor(txid, 'read')).toHaveLength(1);
  });

  test('that confirms without removing leaves the charge open', async () => {
    const { here, cancel } = await pending();
    world.provider.next('remove', () => ({ status: 200, body: {} }));

    const { status, error } = await cancel();

    expect([status, error?.code, await here()]).toEqual([502, 'PROVIDER_ERROR', 'PENDING']);
  });
});

describe('cancelling a charge before its code arrives', () => {
  async function onItsWay() {
    const tenant = newTenant();
    const order = newOrder();
    const blocked = blocking();
    world.provider.next('create', blocked.behaviour);
    const creating = world.client.create(tenant, order);
    await blocked.arrived;
    const [{ id } = { id: '' }] = await world.attemptsOf(order.externalId);
    return { tenant, id, creating, letThrough: blocked.release };
  }

  test('leaves the charge CANCELLED and without a code', async () => {
    const { tenant, id, creating, letThrough } = await onItsWay();

    const { status } = await world.client.cancel(tenant, id);
    letThrough();
    const charge = api.createCharge.data.parse((await creating).data);

    expect([status, charge]).toMatchObject([200, { status: 'CANCELLED', qrCode: null }]);
    expect(await world.client.charge(tenant, id)).toMatchObject({ status: 'CANCELLED', qrCode: null });
  });

  test('must be repeated when the code arrives in between', async () => {
    const { tenant, id, creating, letThrough } = await onItsWay();
    world.provider.next('read', async (perform) => {
      const reply = perform();
      letThrough();
      await creating;
      return reply;
    });

    const { status, error } = await world.client.cancel(tenant, id);
    const meanwhile = await world.client.charge(tenant, id);
    const again = await world.client.cancel(tenant, id);

    expect([status, error?.code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
    expect(meanwhile).toMatchObject({ status: 'PENDING', qrCode: expect.any(String) });
    expect([again.status, world.provider.book.find(meanwhile.txid)?.status]).toEqual([200, REMOVED]);
  });
});
