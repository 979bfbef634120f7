import { afterEach, describe, expect, test } from '@jest/globals';
import type { Behaviour } from '@plataforma/testing';
import {
  answeringWith,
  blocking,
  doneThenReset,
  error500,
  eventually,
  nothingHere,
} from '@plataforma/testing';
import { listenAs, worldOfFile } from '@plataforma/testing/world';
import { NO_CARD_NAMES, newOrder } from './support/client.ts';
import { newTenant } from './support/identity.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(() => startWorld({ tuning: { registrationGraceMs: 200, leaseMs: 200 } }));
afterEach(() => {
  world.provider.always('read');
  world.provider.always('create');
});

async function pending(changes: Record<string, unknown> = {}) {
  const tenant = newTenant();
  const charge = await world.client.newCharge(tenant, changes);
  const now = () => world.client.charge(tenant, charge.id);
  return {
    ...charge,
    tenant,
    now,
    becomes: (status: string) => eventually(async () => expect(await now()).toMatchObject({ status })),
    announced: async () => (await world.eventsOf(charge.id)).map(({ type }) => type),
    reads: () => world.provider.requestsFor(charge.txid, 'read').length,
  };
}

test('a slow provider answer about one charge delays no other', async () => {
  const [slow, other] = [await pending(), await pending()];
  const blocked = blocking();
  world.provider.next('read', blocked.behaviour);
  await world.letTimeRunOut(slow.id);
  await blocked.arrived;

  await world.letTimeRunOut(other.id);
  await other.becomes('EXPIRED');
  const stillSlow = await slow.now();
  blocked.release();

  expect(stillSlow).toMatchObject({ status: 'PENDING' });
  await slow.becomes('EXPIRED');
});

describe('a charge after its expiry time', () => {
  test('expires after a check at the provider, and is announced', async () => {
    const { becomes, reads, tenant, now, ...charge } = await pending({ expiresIn: 1 });

    await becomes('EXPIRED');

    const { id, txid, externalId, paymentMethod, amount, feeAmount, netAmount } = charge;
    const [event] = await world.eventsOf(id);
    expect(reads()).toBeGreaterThanOrEqual(1);
    expect(await now()).toMatchObject({
      status: 'EXPIRED',
      paidAt: null,
      endToEndId: null,
      qrCode: charge.qrCode,
    });
    expect(event).toMatchObject({ type: 'charge.expired', ...tenant, aggregateId: id, sequence: 1 });
    expect(event?.data).toEqual({
      ...{ id, txid, externalId, paymentMethod, amount, feeAmount, netAmount, metadata: {} },
      ...{ endToEndId: null, ...NO_CARD_NAMES },
      status: 'EXPIRED',
      paidAt: null,
    });
    expect(Date.parse(event?.occurredAt ?? '')).toBeGreaterThanOrEqual(Date.parse(charge.expiresAt ?? ''));
  });

  test('is PAID when it was paid in time without a callback', async () => {
    const { id, txid, becomes, announced } = await pending();
    world.provider.book.pay(txid);

    await world.letTimeRunOut(id);

    await becomes('PAID');
    expect(await announced()).toEqual(['charge.paid']);
  });

  test('expires and records a payment of another amount', async () => {
    const { id, txid, becomes, announced } = await pending();
    world.provider.book.pay(txid, { amount: 1 });

    await world.letTimeRunOut(id);

    await becomes('EXPIRED');
    expect(await announced()).toEqual(['charge.expired']);
    expect(await world.paymentsOf(id)).toMatchObject([{ amount_cents: 1, is_expected: false }]);
  });

  test('expires when the provider removed it', async () => {
    const { id, becomes } = await pending();
    world.provider.next('read', answeringWith({ status: 'REMOVIDA_PELO_PSP' }));

    await world.letTimeRunOut(id);

    await becomes('EXPIRED');
  });

  test.each<[string, Behaviour]>([
    ['is unavailable', error500],
    ['does not find the charge', nothingHere],
    ['reports it as paid without a payment', answeringWith({ status: 'CONCLUIDA' })],
    ['has an unknown status', answeringWith({ status: 'EM_ANALISE' })],
    ['answers garbage', () => ({ status: 200, text: '<html>' })],
  ])('stays PENDING as long as the provider %s', async (_what, behaviour) => {
    const { id, now, becomes, announced, reads } = await pending();
    world.provider.always('read', behaviour);

    await world.letTimeRunOut(id);
    await eventually(() => expect(reads()).toBeGreaterThanOrEqual(2));
    const meanwhile = [await now(), await announced()];
    world.provider.always('read');

    expect(meanwhile).toMatchObject([{ status: 'PENDING' }, []]);
    await becomes('EXPIRED');
  });

  test('expires once, with one event, at two replicas', async () => {
    const second = await world.startReplica();
    const webhooks = await listenAs('webhooks', world.env.AMQP_URL ?? '');
    const tenant = newTenant();
    const charges = await Promise.all(Array.from({ length: 120 }, () => world.client.newCharge(tenant)));
    const ids = charges.map(({ id }) => id).sort();

    await world.letTimeRunOut(...ids);

    const ends = () =>
      webhooks.received.filter(
        ({ merchantId, type }) => merchantId === tenant.merchantId && type !== 'charge.created',
      );
    await eventually(() => expect(ends()).toHaveLength(120));
    await new Promise((passed) => setTimeout(passed, 200));
    const received = ends();
    expect(received.map(({ aggregateId }) => aggregateId).sort()).toEqual(ids);
    expect(new Set(received.map(({ type, sequence }) => `${type} ${sequence}`))).toEqual(
      new Set(['charge.expired 1']),
    );
    await Promise.all([second.stop(), webhooks.stop()]);
  });
});

describe('a charge left without a code', () => {
  const abandoned = async (...behaviours: Behaviour[]) => {
    const tenant = newTenant();
    const order = newOrder();
    world.provider.next('create', ...behaviours);
    const { status } = await world.client.create(tenant, order);
    const [{ id, txid } = { id: '', txid: '' }] = await world.attemptsOf(order.externalId);
    return { tenant, order, status, id, txid, now: () => world.client.charge(tenant, id) };
  };

  test.each<[string, Behaviour[]]>([
    ['never received it', [error500]],
    ['has it', [doneThenReset]],
    ['fails for a while', [error500, error500, doneThenReset]],
  ])('gets one from the scheduler when the provider %s', async (_what, behaviours) => {
    const { tenant, order, status, txid, now } = await abandoned(...behaviours);

    await eventually(async () => expect(await now()).toMatchObject({ qrCode: expect.any(String) }));

    const again = await world.client.create(tenant, order);
    expect([status, again.status, again.data]).toMatchObject([503, 200, { txid, status: 'PENDING' }]);
    expect(world.provider.requestsFor(txid, 'create').length).toBeGreaterThan(behaviours.length);
  });

  test('is left to its caller for the grace period', async () => {
    const { txid, now } = await abandoned(error500);

    await eventually(async () => expect(await now()).toMatchObject({ qrCode: expect.any(String) }));

    const [, second] = world.provider.requestsFor(txid, 'create');
    const createdAt = Date.parse((await now()).createdAt);
    expect(second?.at).toBeGreaterThanOrEqual(createdAt + 200);
  });

  test('gets one code from concurrent requests of caller and scheduler', async () => {
    const tenant = newTenant();
    const order = newOrder();
    const blocked = blocking();
    world.provider.next('create', blocked.behaviour);
    const creating = world.client.create(tenant, order);
    await blocked.arrived;
    const [{ id } = { id: '' }] = await world.attemptsOf(order.externalId);
    await world.database.query('UPDATE charges SET next_check_at = now() WHERE id = $1', [id]);

    await eventually(async () =>
      expect(await world.client.charge(tenant, id)).toMatchObject({ qrCode: expect.any(String) }),
    );
    blocked.release();

    const { status, data } = await creating;
    expect([status, data]).toEqual([201, await world.client.charge(tenant, id)]);
  });

  test('expires when the provider never received it', async () => {
    world.provider.always('create', error500);
    const { id, txid, now } = await abandoned();

    await world.letTimeRunOut(id);

    await eventually(async () => expect(await now()).toMatchObject({ status: 'EXPIRED', qrCode: null }));
    expect(world.provider.book.find(txid)).toBeUndefined();
    expect(await world.eventsOf(id)).toMatchObject([{ type: 'charge.expired' }]);
  });
});
