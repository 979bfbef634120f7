import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';
import { doneThen500, doneThenReset, error500, eventually, holding } from '@plataforma/testing';
import { type CardWorld, startCardWorld } from '../support/card-world.ts';

let world: CardWorld;

beforeAll(async () => {
  world = await startCardWorld({ tuning: { leaseMs: 300 } });
});
afterAll(() => world.stop());

const created = api.createCharge.data;
const HORIZON_SECONDS = 15 * 60;

/** A payment that was taken, or not, while its caller was told of nothing. */
async function unheard(fate: 'paid' | 'failed' | 'processing', fault = doneThenReset) {
  const shop = world.newShop();
  const card = world.newCard({ fate, returnCode: '51' });
  const order = world.orderWith(card);
  world.acquirer.next('pay', fault);
  await world.client.create(shop, order);
  const [attempt] = await world.attemptsOf(order.externalId);
  const id = attempt?.id ?? '';
  return { shop, card, order, id, payment: world.acquirer.book.ofCard(card)[0] };
}

const become = (externalId: unknown, expected: Record<string, unknown>) =>
  eventually(async () => expect(await world.attemptsOf(externalId)).toMatchObject([expected]));

/** The clock has looked at it, and will not again for a while. */
async function restsAWhile(externalId: unknown): Promise<void> {
  const resting = `SELECT 1 FROM charges WHERE external_id = $1 AND next_check_at > now() + interval '10 s'`;
  await eventually(async () => expect(await world.database.query(resting, [externalId])).toHaveLength(1));
}

/** One that was approved, as the clock has found out. */
async function noted() {
  const story = await unheard('paid');
  await world.letPass(story.order.externalId, 0);
  await become(story.order.externalId, { status: 'PENDING', acquirer_id: story.payment?.id });
  return story;
}

async function isSeen(shop: Tenant, id: string): Promise<boolean> {
  const { meta } = await world.client.list(shop);
  const { status } = await world.client.read(shop, id);
  return status !== 404 || JSON.stringify(meta).includes('"total":1');
}

describe('a payment nobody heard of', () => {
  test('is found by the clock, and kept for the same request, which needs no acquirer any more', async () => {
    const { shop, order, id, payment } = await noted();
    const isSeenBefore = await isSeen(shop, id);
    const asked = world.acquirer.requests.length;

    const { status, data } = await world.client.create(shop, order);

    expect([isSeenBefore, status]).toEqual([false, 200]);
    expect(created.parse(data)).toMatchObject({
      id,
      status: 'PAID',
      cardBrand: 'Visa',
      cardLastDigits: '0010',
    });
    expect(world.acquirer.requests).toHaveLength(asked);
    expect(payment).toMatchObject({ status: 'paid', canceledAmount: 0 });
    expect(await world.eventsOf(id)).toHaveLength(1);
  });

  test('is not given back before its time, however often the clock looks', async () => {
    const { order, payment } = await noted();

    await world.letPass(order.externalId, HORIZON_SECONDS - 60);

    await restsAWhile(order.externalId);
    await become(order.externalId, { status: 'PENDING', is_voiding: false });
    expect(payment).toMatchObject({ status: 'paid', canceledAmount: 0 });
  });

  test('is given back once when nobody asks within the horizon, and its externalId is free', async () => {
    const { shop, order, id, payment } = await noted();

    await world.letPass(order.externalId, HORIZON_SECONDS);
    await become(order.externalId, { status: 'DECLINED', decline_reason: 'voided', is_voiding: false });

    const cancels = world.acquirer.requestsFor(payment?.id ?? '', 'cancel');
    expect(payment).toMatchObject({ status: 'canceled', canceledAmount: 2500 });
    expect(cancels.map(({ key }) => key)).toEqual([`${id}-void`]);
    expect([await isSeen(shop, id), await world.eventsOf(id)]).toEqual([false, []]);
    const next = world.orderWith(world.newCard(), { externalId: order.externalId });
    expect((await world.client.create(shop, next)).status).toBe(201);
  });

  test('and that was declined ends as soon as the clock finds out', async () => {
    const { shop, order } = await unheard('failed');

    await world.letPass(order.externalId, 0);
    await become(order.externalId, { status: 'DECLINED', decline_reason: 'insufficient_funds' });

    const next = world.orderWith(world.newCard(), { externalId: order.externalId });
    expect((await world.client.create(shop, next)).status).toBe(201);
  });

  test('and that the acquirer still looks at is never given up', async () => {
    const { order, payment } = await unheard('processing');

    await world.letPass(order.externalId, HORIZON_SECONDS * 4);
    await restsAWhile(order.externalId);

    await become(order.externalId, { status: 'PENDING', acquirer_id: null, is_voiding: false });
    expect(payment).toMatchObject({ status: 'processing', canceledAmount: 0 });
  });

  test('and that is decided after the horizon is given back at once', async () => {
    const { order, payment } = await unheard('processing');
    await world.letPass(order.externalId, HORIZON_SECONDS * 4);
    world.acquirer.book.decide(payment?.id ?? '', 'paid');
    await world.letPass(order.externalId, 0);

    await become(order.externalId, { status: 'DECLINED', decline_reason: 'voided' });

    expect(payment).toMatchObject({ status: 'canceled', canceledAmount: 2500 });
  });
});

describe('a payment the acquirer never heard of', () => {
  test('is sent again by the same request, which comes before a clock that looks all the time', async () => {
    const { shop, card, order, id } = await unheard('paid', error500);

    const { status, data } = await world.client.create(shop, order);

    expect([status, created.parse(data)]).toMatchObject([200, { id, status: 'PAID' }]);
    expect(world.acquirer.requestsFor(id, 'pay').map(({ key }) => key)).toEqual([id, id]);
    expect(world.acquirer.book.ofCard(card)).toMatchObject([{ status: 'paid' }]);
  });

  test('is waited for while it can still be on its way, but not sent again', async () => {
    const { shop, order, id } = await unheard('paid', error500);
    await world.letPass(order.externalId, 90);
    await eventually(() => expect(world.acquirer.requestsFor(id, 'find').length).toBeGreaterThan(0));

    const { status, error } = await world.client.create(shop, order);

    // The caller’s own look, and not only the end of its patience.
    expect(error?.message).toContain('the acquirer does not know of the payment');
    expect([status, error?.code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
    expect(world.acquirer.requestsFor(id, 'pay')).toHaveLength(1);
    await become(order.externalId, { status: 'PENDING' });
  });

  test('ends when it can’t come any more, and the same request is a new attempt', async () => {
    const { shop, order, id } = await unheard('paid', error500);

    await world.letPass(order.externalId, 121);
    await become(order.externalId, { status: 'DECLINED', decline_reason: 'not_processed' });

    const { status, data } = await world.client.create(shop, order);
    expect(status).toBe(201);
    expect(created.parse(data).id).not.toBe(id);
    expect(await world.eventsOf(id)).toEqual([]);
  });

  test('and comes after all is given back, and its caller told that nothing was paid', async () => {
    const shop = world.newShop();
    const card = world.newCard();
    const order = world.orderWith(card);
    const held = holding();
    world.acquirer.next('pay', held.behaviour);
    const late = world.client.create(shop, order);
    await held.arrived;
    await world.letPass(order.externalId, 121);
    await become(order.externalId, { status: 'DECLINED', decline_reason: 'not_processed' });

    const next = await world.client.create(
      shop,
      world.orderWith(world.newCard(), { externalId: order.externalId }),
    );
    held.release();

    expect([next.status, (await late).status]).toEqual([201, 402]);
    await eventually(() =>
      expect(world.acquirer.book.ofCard(card)).toMatchObject([{ status: 'canceled', canceledAmount: 2500 }]),
    );
    const attempts = await world.attemptsOf(order.externalId);
    expect(attempts.map(({ status }) => status)).toEqual(['DECLINED', 'PAID']);
  });

  test.each([
    ['at once', []],
    ['though the acquirer fails at first', [error500, doneThenReset]],
  ])('that it tells of only after the attempt has ended, is given back %s, once', async (_how, faults) => {
    const { shop, card, order, payment } = await unheard('paid');
    world.acquirer.always('find', () => ({ status: 200, body: { data: [] } }));
    await world.letPass(order.externalId, 121);
    await become(order.externalId, { status: 'DECLINED', decline_reason: 'not_processed' });
    const next = world.orderWith(world.newCard(), { externalId: order.externalId });
    expect((await world.client.create(shop, next)).status).toBe(201);

    world.acquirer.next('cancel', ...faults);
    world.acquirer.always('find');

    await eventually(async () => {
      await world.lookAgain(order.externalId);
      expect(await world.attemptsOf(order.externalId)).toMatchObject([
        { status: 'DECLINED', is_watched: false },
        { status: 'PAID' },
      ]);
    });
    expect(world.acquirer.book.ofCard(card)).toMatchObject([{ status: 'canceled', canceledAmount: 2500 }]);
    const keys = world.acquirer.requestsFor(payment?.id ?? '', 'cancel').map(({ key }) => key);
    expect(new Set(keys).size).toBe(1);
  });

  test('is watched for a day, and not for ever', async () => {
    const { order } = await unheard('paid', error500);
    await world.letPass(order.externalId, 121);
    await become(order.externalId, { status: 'DECLINED', is_watched: true });

    // Again and again: the clock may be looking at it at this very moment, and say when it looks next.
    await eventually(async () => {
      await world.lookAgain(order.externalId, 86_400);
      expect(await world.attemptsOf(order.externalId)).toMatchObject([{ is_watched: false }]);
    });
  });
});

describe('giving a payment back', () => {
  test.each([
    ['resets the connection', doneThenReset],
    ['answers 500', doneThen500],
  ])('that is done although the acquirer %s is not done twice', async (_what, fault) => {
    const { order, payment } = await noted();
    world.acquirer.next('cancel', fault);

    await world.letPass(order.externalId, HORIZON_SECONDS);
    await become(order.externalId, { status: 'DECLINED', decline_reason: 'voided' });

    expect(payment).toMatchObject({ status: 'canceled', canceledAmount: 2500 });
    expect(world.acquirer.requestsFor(payment?.id ?? '', 'cancel')).toHaveLength(1);
  });

  test('that fails is tried until it is done, and nobody can collect the payment meanwhile', async () => {
    const { shop, order, payment } = await noted();
    world.acquirer.always('cancel', error500);
    await world.letPass(order.externalId, HORIZON_SECONDS);
    await become(order.externalId, { status: 'PENDING', is_voiding: true });

    const { status, error } = await world.client.create(shop, order);
    world.acquirer.always('cancel');
    await become(order.externalId, { status: 'DECLINED', decline_reason: 'voided' });

    expect([status, error?.code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
    expect(payment).toMatchObject({ status: 'canceled', canceledAmount: 2500 });
  });
});
