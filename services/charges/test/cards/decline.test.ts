import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { sharedCardWorld } from '../support/card-world.ts';

const world = worldOfFile(sharedCardWorld);

const created = api.createCharge.data;
const BAD = { fate: 'failed', returnCode: '51' } as const;

describe('a declined card', () => {
  test.each([
    ['1016', 'insufficient_funds'],
    ['54', 'expired_card'],
    ['', 'card_declined'],
  ])('with the code %j is CARD_DECLINED: %s', async (returnCode, reason) => {
    const { shop, order } = world.ordered({ fate: 'failed', returnCode });

    const { status, data, error } = await world.client.create(shop, order);

    expect([status, data]).toEqual([402, undefined]);
    expect(error).toEqual({ code: 'CARD_DECLINED', message: `the card was declined: ${reason}`, reason });
  });

  test('refused by the antifraud is suspected_fraud despite the bank’s code', async () => {
    const { shop, order } = world.ordered({ fate: 'failed', returnCode: '00', antifraud: 'reproved' });

    const { status, error } = await world.client.create(shop, order);

    expect([status, error?.message]).toEqual([402, 'the card was declined: suspected_fraud']);
  });

  test('leaves an attempt absent from lists, routes and events', async () => {
    const { shop, order } = world.ordered(BAD);
    await world.client.create(shop, order);
    const [attempt, ...more] = await world.attemptsOf(order.externalId);
    const id = attempt?.id ?? '';

    const answers = await Promise.all([
      world.client.read(shop, id),
      world.client.checkout(id),
      world.client.cancel(shop, id),
      world.client.simulate(shop, id),
      world.operate(`/charges/${id}`),
    ]);
    const lists = await Promise.all([
      world.client.list(shop),
      world.client.list(shop, '?paymentMethod=CARD'),
      world.client.list(shop, '?status=PENDING'),
      world.operate(`/charges?merchantId=${shop.merchantId}`),
      world.operate(`/charges?search=${id}`),
    ]);

    expect([attempt?.status, attempt?.decline_reason, more]).toEqual(['DECLINED', 'insufficient_funds', []]);
    expect(answers.map(({ status, error }) => [status, error?.code])).toEqual(
      Array(answers.length).fill([404, 'NOT_FOUND']),
    );
    expect(lists.map(({ status, data }) => [status, data])).toEqual(Array(lists.length).fill([200, []]));
    expect(await world.eventsOf(id)).toEqual([]);
  });

  test('leaves its externalId free for another card', async () => {
    const { shop, order } = world.ordered(BAD);
    const other = world.newCard();
    await world.client.create(shop, order);

    const { status, data } = await world.client.create(shop, world.withCard(order, other));

    const { id } = created.parse(data);
    expect(status).toBe(201);
    expect(await world.client.charge(shop, id)).toMatchObject({
      status: 'PAID',
      externalId: order.externalId,
    });
    expect(world.acquirer.book.ofCard(other)).toMatchObject([{ status: 'paid', order: { code: id } }]);
    expect((await world.client.list(shop)).meta).toMatchObject({ total: 1 });
  });

  test('five times in a row may precede an approved card', async () => {
    const shop = world.newShop();
    const externalId = `pedido-${newId()}`;
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const order = world.orderWith(world.newCard(BAD), { externalId });
      statuses.push((await world.client.create(shop, order)).status);
    }

    const last = await world.payAnew(shop, externalId, { amount: 3100 });

    const attempts = await world.attemptsOf(externalId);
    expect(statuses).toEqual([402, 402, 402, 402, 402]);
    expect([last.status, created.parse(last.data).amount]).toEqual([201, 3100]);
    expect(attempts.map(({ status }) => status)).toEqual([...Array(5).fill('DECLINED'), 'PAID']);
  });

  test('may be followed by a Pix under the same externalId', async () => {
    const { shop, order } = world.ordered(BAD);
    await world.client.create(shop, order);

    const { status, data } = await world.client.create(shop, { ...order, paymentMethod: 'PIX' });

    expect([status, created.parse(data).status]).toEqual([201, 'PENDING']);
  });
});

describe('a refused card token', () => {
  test.each(['unknown', 'used'])('that is %s names cardToken and frees the externalId', async (what) => {
    const { shop, order } = world.ordered();
    if (what === 'used') await world.client.create(shop, world.orderWith(world.newCard(), order));
    const again = { ...order, externalId: `pedido-${newId()}` };
    const useless = what === 'used' ? again : { ...again, cardToken: 'token_de_ninguem' };

    const refused = await world.client.create(shop, useless);
    const repeated = await world.payAnew(shop, useless.externalId);

    expect([refused.status, refused.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(refused.error?.message).toMatch(/^cardToken: /);
    expect(repeated.status).toBe(201);
    expect(await world.eventsOf(created.parse(repeated.data).id)).toHaveLength(1);
  });
});
