import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { api, type ChargeView } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';
import { eventually, rounds } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { z } from 'zod';
import { newOrder } from './support/client.ts';
import { newDelays } from './support/delays.ts';
import { newTenant } from './support/identity.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(() => startWorld({ tuning: { scheduleEveryMs: 2 } }));
const second = beforeFile(() => world.startReplica());

const ROUNDS = rounds(50);
const SEED = 20_261_121;

/**
 * Lets a charge be paid, be cancelled by the merchant and expire at the same time, each after a random delay.
 */
async function race(delay: (max: number) => number) {
  const tenant = newTenant();
  const { id, txid } = await world.client.newCharge(tenant);
  const [cancelled] = await Promise.all([
    sleep(delay(8)).then(() => second.client.cancel(tenant, id)),
    // The payment has a longer maximum delay than the cancellation, because a cancellation takes longer to
    // reach the provider.
    sleep(delay(40)).then(() => {
      world.provider.book.pay(txid);
      return world.client.notify(txid);
    }),
    sleep(delay(8)).then(() => world.letTimeRunOut(id)),
  ]);
  await eventually(async () => expect((await world.client.charge(tenant, id)).status).not.toBe('PENDING'));
  // The provider repeats a callback that arrived too early.
  await world.client.notify(txid);
  const charge = await world.client.charge(tenant, id);
  const payments = await world.paymentsOf(id);
  const events = (await world.eventsOf(id)).map(({ type }) => type);
  return { cancelled, charge, payments, events, cob: world.provider.book.find(txid) };
}

describe(`payment, cancellation and expiry at once, ${ROUNDS} times (seed ${SEED})`, () => {
  test('have one winner; events and provider agree', async () => {
    const delay = newDelays(SEED);
    const winners = new Map<string, number>();

    for (let round = 0; round < ROUNDS; round += 1) {
      const { cancelled, charge, payments, events, cob } = await race(delay);

      const { status, endToEndId } = charge;
      const wasPaid = cob?.status === 'CONCLUIDA';
      winners.set(status, (winners.get(status) ?? 0) + 1);
      expect(cancelled.status).toBe(status === 'CANCELLED' ? 200 : 409);
      expect(cancelled.error?.code).toBe(status === 'CANCELLED' ? undefined : 'CHARGE_NOT_CANCELLABLE');
      expect(payments.map((row) => row.end_to_end_id)).toEqual(cob?.payments.map((pix) => pix.endToEndId));
      expect(payments.map((row) => row.is_expected)).toEqual(wasPaid ? [status === 'PAID'] : []);
      expect(endToEndId).toBe(status === 'PAID' ? cob?.payments[0]?.endToEndId : null);
      if (status === 'PAID') expect([events, cob?.status]).toEqual([['charge.paid'], 'CONCLUIDA']);
      if (status === 'EXPIRED') expect(events).toEqual(['charge.expired']);
      if (status === 'CANCELLED')
        expect([events, cob?.status]).toEqual([[], 'REMOVIDA_PELO_USUARIO_RECEBEDOR']);
    }

    if (ROUNDS >= 50) expect(winners.size).toBeGreaterThan(1);
  });
});

const created = api.createCharge.data;
const listed = z.array(api.listCharges.data);
const REPEATS = rounds(20);

interface Story {
  tenant: Tenant;
  order: Record<string, unknown>;
  first: ChargeView;
}

async function charged(): Promise<Story> {
  const tenant = newTenant();
  const order = newOrder();
  const { data } = await world.client.create(tenant, order);
  return { tenant, order, first: created.parse(data) };
}

async function ended(status: string): Promise<Story> {
  const story = await charged();
  if (status === 'EXPIRED') await world.letTimeRunOut(story.first.id);
  else await world.client.cancel(story.tenant, story.first.id);
  await becomes(story, status);
  return story;
}

async function becomes({ tenant, first }: Story, status: string): Promise<void> {
  await eventually(async () => expect((await world.client.charge(tenant, first.id)).status).toBe(status));
}

const listOf = async ({ tenant, order }: Story) =>
  listed.parse((await world.client.list(tenant, `?externalId=${order.externalId}`)).data);

describe.each(['EXPIRED', 'CANCELLED'])('the externalId of a charge that is %s', (status) => {
  test('makes a new charge with its own code', async () => {
    const { tenant, order, first } = await ended(status);

    const again = await world.client.create(tenant, { ...order, amount: 3000 });

    const next = created.parse(again.data);
    expect([again.status, next.status, next.amount]).toEqual([201, 'PENDING', 3000]);
    expect([first.id, first.txid, first.qrCode]).not.toContain(next.txid);
    const all = await listOf({ tenant, order, first });
    expect(all.map((one) => [one.id, one.status])).toEqual([
      [next.id, 'PENDING'],
      [first.id, status],
    ]);
  });

  test('belongs to the new charge afterwards', async () => {
    const { tenant, order } = await ended(status);
    const { data } = await world.client.create(tenant, order);

    const again = await world.client.create(tenant, order);
    const other = await world.client.create(tenant, { ...order, amount: 3000, payerName: 'João' });

    expect([again.status, again.data]).toEqual([200, data]);
    expect([other.status, other.error?.code]).toEqual([409, 'EXTERNAL_ID_CONFLICT']);
    expect(other.error?.message).toBe('externalId: was used for a charge with another amount, payerName');
  });

  test('makes one charge of twenty concurrent requests', async () => {
    const { tenant, order } = await ended(status);

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? second.client : world.client).create(tenant, order)),
    );

    expect(answers.map((answer) => answer.status).sort()).toEqual([...Array(19).fill(200), 201]);
    expect(new Set(answers.map(({ data }) => created.parse(data).id)).size).toBe(1);
  });
});

describe('a payment of the old charge', () => {
  test('is recorded as unexpected and pays neither charge', async () => {
    const { tenant, order, first } = await ended('EXPIRED');
    const next = created.parse((await world.client.create(tenant, order)).data);
    world.provider.book.pay(first.txid, { insists: true });

    await world.client.notify(first.txid);

    const rows = await world.paymentsOf(first.id);
    expect(rows.map(({ is_expected }) => is_expected)).toEqual([false]);
    expect(await world.paymentsOf(next.id)).toEqual([]);
    expect((await listOf({ tenant, order, first })).map(({ status }) => status)).toEqual([
      'PENDING',
      'EXPIRED',
    ]);
  });

  test('leaves the new charge payable', async () => {
    const { tenant, order, first } = await ended('CANCELLED');
    const next = created.parse((await world.client.create(tenant, order)).data);
    world.provider.book.pay(first.txid, { insists: true });
    world.provider.book.pay(next.txid);

    await world.client.notify(first.txid, next.txid);

    expect((await listOf({ tenant, order, first })).map(({ status }) => status)).toEqual([
      'PAID',
      'CANCELLED',
    ]);
  });
});

describe('the externalId of a paid charge', () => {
  test('stays with that charge', async () => {
    const { tenant, order, first } = await charged();
    world.provider.book.pay(first.txid);
    await world.client.notify(first.txid);

    const again = await world.client.create(tenant, { ...order, expiresIn: 60, description: 'outra' });

    expect([again.status, created.parse(again.data)]).toMatchObject([200, { id: first.id, status: 'PAID' }]);
  });
});

describe(`an order repeated at the moment of its expiry, ${REPEATS} times`, () => {
  test('returns the old charge or one new charge', async () => {
    for (let round = 0; round < REPEATS; round += 1) {
      const story = await charged();
      const { tenant, order, first } = story;
      const replicas = [world.client, second.client, world.client, second.client];

      const [, ...answers] = await Promise.all([
        world.letTimeRunOut(first.id),
        ...replicas.map((client, i) => sleep((round + i * 7) % 25).then(() => client.create(tenant, order))),
      ]);
      await becomes(story, 'EXPIRED');

      const last = await world.client.create(tenant, order);
      const all = await listOf(story);
      const ids = new Set(answers.map(({ data }) => created.parse(data).id));
      expect(answers.filter(({ status }) => status === 201).length).toBe(
        ids.size - (ids.has(first.id) ? 1 : 0),
      );
      expect(all.map(({ status }) => status)).toEqual(['PENDING', 'EXPIRED']);
      expect(all[0]?.id).toBe(created.parse(last.data).id);
    }
  });
});
