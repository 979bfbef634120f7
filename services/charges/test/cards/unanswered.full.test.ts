import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';
import { doneThen500, doneThenReset, error500, eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { startCardWorld } from '../support/card-world.ts';
import { codeOf } from '../support/client.ts';

/**
 * The time for which an approved payment waits for a repeat of its request. It starts at the creation of the
 * charge.
 */
const HORIZON_SECONDS = 15 * 60;

// The leases are short, so that the scheduler often checks payments with an unknown outcome.
const world = worldOfFile(() => startCardWorld({ tuning: { leaseMs: 300 } }));

const RESTING = "SELECT 1 FROM charges WHERE external_id = $1 AND next_check_at > now() + interval '10 s'";

/** Waits until the scheduler has checked the payment and will not check it again for at least ten seconds. */
const restsAWhile = (externalId: unknown) =>
  eventually(async () => expect(await world.database.query(RESTING, [externalId])).toHaveLength(1));

/** Makes a payment that the acquirer has approved. Only the scheduler knows of the approval. */
async function approved() {
  const story = await world.unanswered();
  await world.letPass(story.externalId, 0);
  await world.become(story.externalId, { status: 'PENDING', acquirer_id: story.payment?.id });
  return story;
}

const created = api.createCharge.data;

async function isSeen(shop: Tenant, id: string): Promise<boolean> {
  const { meta } = await world.client.list(shop);
  const { status } = await world.client.read(shop, id);
  return status !== 404 || JSON.stringify(meta).includes('"total":1');
}

describe('a payment with a lost answer', () => {
  test('is found by the scheduler and returned to the same request', async () => {
    const { shop, order, id, payment } = await approved();
    const isSeenBefore = await isSeen(shop, id);
    const requestsBefore = world.acquirer.requests.length;

    const { status, data } = await world.client.create(shop, order);

    expect([isSeenBefore, status]).toEqual([false, 200]);
    expect(created.parse(data)).toMatchObject({
      id,
      status: 'PAID',
      cardBrand: 'Visa',
      cardLastDigits: '0010',
    });
    expect(world.acquirer.requests).toHaveLength(requestsBefore);
    expect(payment).toMatchObject({ status: 'paid', canceledAmount: 0 });
    expect(await world.eventsOf(id)).toHaveLength(1);
  });

  test('is not voided before its time', async () => {
    const { order, payment } = await approved();

    await world.letPass(order.externalId, HORIZON_SECONDS - 60);

    await restsAWhile(order.externalId);
    await world.become(order.externalId, { status: 'PENDING', is_voiding: false });
    expect(payment).toMatchObject({ status: 'paid', canceledAmount: 0 });
  });

  test('is voided once at the horizon and frees its externalId', async () => {
    const { shop, order, id, payment } = await approved();

    await world.letPass(order.externalId, HORIZON_SECONDS);
    await world.become(order.externalId, { status: 'DECLINED', decline_reason: 'voided', is_voiding: false });

    const cancels = world.acquirer.requestsFor(payment?.id ?? '', 'cancel');
    expect(payment).toMatchObject({ status: 'canceled', canceledAmount: 2500 });
    expect(cancels.map(({ key }) => key)).toEqual([`${id}-void`]);
    expect([await isSeen(shop, id), await world.eventsOf(id)]).toEqual([false, []]);
    expect((await world.payAnew(shop, order.externalId)).status).toBe(201);
  });

  test('is DECLINED as soon as the scheduler finds the decline', async () => {
    const { shop, order } = await world.unanswered({ fate: 'failed', returnCode: '51' });

    await world.letPass(order.externalId, 0);
    await world.become(order.externalId, { status: 'DECLINED', decline_reason: 'insufficient_funds' });

    expect((await world.payAnew(shop, order.externalId)).status).toBe(201);
  });

  test('stays PENDING while the acquirer is deciding', async () => {
    const { order, payment } = await world.unanswered({ fate: 'processing' });

    await world.letPass(order.externalId, HORIZON_SECONDS * 4);
    await restsAWhile(order.externalId);

    await world.become(order.externalId, { status: 'PENDING', acquirer_id: null, is_voiding: false });
    expect(payment).toMatchObject({ status: 'processing', canceledAmount: 0 });
  });

  test('is voided at once when it is approved after the horizon', async () => {
    const { order, payment } = await world.unanswered({ fate: 'processing' });
    await world.letPass(order.externalId, HORIZON_SECONDS * 4);
    world.acquirer.book.decide(payment?.id ?? '', 'paid');
    await world.letPass(order.externalId, 0);

    await world.become(order.externalId, { status: 'DECLINED', decline_reason: 'voided' });

    expect(payment).toMatchObject({ status: 'canceled', canceledAmount: 2500 });
  });
});

describe('voiding a payment', () => {
  test.each([
    ['resets the connection', doneThenReset],
    ['answers 500', doneThen500],
  ])('happens once although the acquirer %s', async (_what, fault) => {
    const { order, payment } = await approved();
    world.acquirer.next('cancel', fault);

    await world.letPass(order.externalId, HORIZON_SECONDS);
    await world.become(order.externalId, { status: 'DECLINED', decline_reason: 'voided' });

    expect(payment).toMatchObject({ status: 'canceled', canceledAmount: 2500 });
    expect(world.acquirer.requestsFor(payment?.id ?? '', 'cancel')).toHaveLength(1);
  });

  test('is retried until done; the payment cannot be collected meanwhile', async () => {
    const { shop, order, payment } = await approved();
    world.acquirer.always('cancel', error500);
    await world.letPass(order.externalId, HORIZON_SECONDS);
    await world.become(order.externalId, { status: 'PENDING', is_voiding: true });

    expect(await codeOf(world.client.create(shop, order))).toEqual([503, 'PROVIDER_UNAVAILABLE']);
    world.acquirer.always('cancel');
    await world.become(order.externalId, { status: 'DECLINED', decline_reason: 'voided' });

    expect(payment).toMatchObject({ status: 'canceled', canceledAmount: 2500 });
  });
});

describe('a payment that the acquirer never received', () => {
  test('is sent again by the same request', async () => {
    const { shop, card, order, id } = await world.unanswered({}, error500);

    const { status, data } = await world.client.create(shop, order);

    expect([status, created.parse(data)]).toMatchObject([200, { id, status: 'PAID' }]);
    expect(world.acquirer.requestsFor(id, 'pay').map(({ key }) => key)).toEqual([id, id]);
    expect(world.acquirer.book.ofCard(card)).toMatchObject([{ status: 'paid' }]);
  });

  test('is not sent again while it may still arrive', async () => {
    const { shop, order, id } = await world.unanswered({}, error500);
    await world.letPass(order.externalId, 90);
    await eventually(() => expect(world.acquirer.requestsFor(id, 'find').length).toBeGreaterThan(0));

    const { status, error } = await world.client.create(shop, order);

    // The message shows that the caller asked the acquirer and did not only time out.
    expect(error?.message).toContain('the acquirer has no record of the payment');
    expect([status, error?.code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
    expect(world.acquirer.requestsFor(id, 'pay')).toHaveLength(1);
    await world.become(order.externalId, { status: 'PENDING' });
  });

  test('ends after its time; the same request starts another attempt', async () => {
    const { shop, order, id } = await world.unanswered({}, error500);

    await world.neverArrives(order.externalId);

    const { status, data } = await world.client.create(shop, order);
    expect(status).toBe(201);
    expect(created.parse(data).id).not.toBe(id);
    expect(await world.eventsOf(id)).toEqual([]);
  });

  test('is voided when it arrives late; its caller gets 402', async () => {
    const { shop, card, order, answer, release } = await world.paying();
    await world.neverArrives(order.externalId);

    const next = await world.payAnew(shop, order.externalId);
    release();

    expect([next.status, (await answer).status]).toEqual([201, 402]);
    await eventually(() =>
      expect(world.acquirer.book.ofCard(card)).toMatchObject([{ status: 'canceled', canceledAmount: 2500 }]),
    );
    const attempts = await world.attemptsOf(order.externalId);
    expect(attempts.map(({ status }) => status)).toEqual(['DECLINED', 'PAID']);
  });

  test.each([
    ['at once', []],
    ['though the acquirer fails at first', [error500, doneThenReset]],
  ])('reported after the end of its attempt is voided once, %s', async (_how, faults) => {
    const { shop, card, order, payment } = await world.unanswered();
    world.acquirer.always('find', () => ({ status: 200, body: { data: [] } }));
    await world.neverArrives(order.externalId);
    expect((await world.payAnew(shop, order.externalId)).status).toBe(201);

    world.acquirer.next('cancel', ...faults);
    world.acquirer.always('find');

    await eventually(async () => {
      await world.letPassWatched(order.externalId);
      expect(await world.attemptsOf(order.externalId)).toMatchObject([
        { status: 'DECLINED', is_watched: false },
        { status: 'PAID' },
      ]);
    });
    expect(world.acquirer.book.ofCard(card)).toMatchObject([{ status: 'canceled', canceledAmount: 2500 }]);
    const keys = world.acquirer.requestsFor(payment?.id ?? '', 'cancel').map(({ key }) => key);
    expect(new Set(keys).size).toBe(1);
  });

  test('is watched for one day only', async () => {
    const { order } = await world.unanswered({}, error500);
    await world.letPass(order.externalId, 121);
    await world.become(order.externalId, { status: 'DECLINED', is_watched: true });

    // Repeat this step, because a check by the scheduler at the same time may overwrite the due time that the
    // step has set.
    await eventually(async () => {
      await world.letPassWatched(order.externalId, 86_400);
      expect(await world.attemptsOf(order.externalId)).toMatchObject([{ is_watched: false }]);
    });
  });
});
