import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { doneThenReset, error500, eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { startUnansweredWorld } from '../support/unanswered-world.ts';

const world = worldOfFile(startUnansweredWorld);

const created = api.createCharge.data;

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
