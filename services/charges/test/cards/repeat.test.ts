import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { error500, eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { sharedCardWorld } from '../support/card-world.ts';
import { codeOf } from '../support/client.ts';

const world = worldOfFile(sharedCardWorld);

const created = api.createCharge.data;

describe('a repeated card order', () => {
  test('returns the same charge without an acquirer request', async () => {
    const { shop, order } = world.ordered();
    const first = await world.client.create(shop, order);
    const requestsBefore = world.acquirer.requests.length;

    const again = await world.client.create(shop, order);

    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.data).toEqual(first.data);
    expect(world.acquirer.requests).toHaveLength(requestsBefore);
    expect(await world.eventsOf(created.parse(again.data).id)).toHaveLength(1);
  });

  test('may have a fresh token; nothing is charged', async () => {
    const { shop, order } = world.ordered();
    const { data } = await world.client.create(shop, order);
    const other = world.newCard({ lastDigits: '9999' });

    const again = await world.client.create(shop, world.withCard(order, other));

    expect([again.status, again.data]).toEqual([200, data]);
    expect(world.acquirer.book.ofCard(other)).toEqual([]);
  });

  test('may differ in spelling with the same meaning', async () => {
    const shop = world.newShop();
    const order = world.orderWith(world.newCard(), { payerDocument: '123.456.789-09' });
    const { data } = await world.client.create(shop, order);

    const again = await world.client.create(shop, {
      ...order,
      payerDocument: '12345678909',
      payerName: ' Maria  da Silva. ',
      description: 'outra',
    });

    expect([again.status, again.data]).toEqual([200, data]);
  });

  test.each([
    ['amount', { amount: 2501 }],
    ['payer’s name', { payerName: 'Mario da Silva' }],
    ['payer’s document', { payerDocument: '52998224725' }],
    ['payment method', { paymentMethod: 'PIX' }],
    ['number of installments', { installments: 2 }],
  ])('with another %s is an EXTERNAL_ID_CONFLICT', async (_what, changes) => {
    const { shop, order } = world.ordered();
    await world.client.create(shop, order);
    const other = world.newCard();

    const anew = { ...world.withCard(order, other), ...changes };
    expect(await codeOf(world.client.create(shop, anew))).toEqual([409, 'EXTERNAL_ID_CONFLICT']);
    expect(world.acquirer.book.ofCard(other)).toEqual([]);
  });

  test('is an EXTERNAL_ID_CONFLICT after a Pix order', async () => {
    const { shop, order } = world.ordered();
    await world.client.create(shop, { ...order, paymentMethod: 'PIX' });

    expect(await codeOf(world.client.create(shop, order))).toEqual([409, 'EXTERNAL_ID_CONFLICT']);
    expect(await world.attemptsOf(order.externalId)).toHaveLength(1);
  });

  test('with another amount is a conflict while the first is undecided', async () => {
    const { shop, order, answer, release } = await world.paying();

    const other = await world.client.create(shop, { ...order, amount: 9900 });
    release();

    expect([other.status, other.error?.code]).toEqual([409, 'EXTERNAL_ID_CONFLICT']);
    expect((await answer).status).toBe(201);
  });

  test('waits for the first one’s answer without another request', async () => {
    const { shop, card, order, answer, release } = await world.paying();
    const requestsBefore = world.acquirer.requests.length;

    const second = world.client.create(shop, order);
    const unseen = await world.client.list(shop);
    release();

    const [one, two] = await Promise.all([answer, second]);
    expect([one.status, two.status]).toEqual([201, 200]);
    expect(two.data).toEqual(one.data);
    expect(unseen.data).toEqual([]);
    expect(world.acquirer.requests).toHaveLength(requestsBefore);
    expect(world.acquirer.book.ofCard(card)).toHaveLength(1);
  });

  test('waits for the first one’s refusal and gets it too', async () => {
    const bad = { fate: 'failed', returnCode: '51' } as const;
    const { shop, card, order, answer, release } = await world.paying(bad);
    const second = world.client.create(shop, order);
    const third = world.client.create(shop, order);
    // These orders are sent after the second and the third request. When these orders are answered, both
    // requests have certainly begun to wait.
    for (let i = 0; i < 3; i += 1) await world.client.create(shop, world.orderWith(world.newCard()));
    release();

    const answers = await Promise.all([answer, second, third]);
    expect(answers.map(({ status, error }) => [status, error?.message])).toEqual(
      Array(3).fill([402, 'the card was declined: insufficient_funds']),
    );
    expect(world.acquirer.book.ofCard(card)).toHaveLength(1);
  });

  test('returns the charge even after a refund', async () => {
    const { shop, order } = world.ordered();
    const { data } = await world.client.create(shop, order);
    await world.database.query(
      `UPDATE charges SET status = 'REFUNDED', refunded_cents = 2400, refunded_at = now() WHERE id = $1`,
      [created.parse(data).id],
    );

    const again = await world.client.create(shop, order);

    expect([again.status, created.parse(again.data).status]).toEqual([200, 'REFUNDED']);
  });
});

test('a repeated order returns its charge after cards are disabled', async () => {
  const shop = world.newShop({}, 'production');
  const order = world.orderWith(world.newCard());
  const { data } = await world.client.create(shop, order);
  await world.database.query(
    `UPDATE merchants SET snapshot = jsonb_set(snapshot::jsonb, '{cardEnabled}', 'false') WHERE id = $1`,
    [shop.merchantId],
  );

  const again = await world.client.create(shop, order);
  const other = await world.client.create(shop, world.orderWith(world.newCard()));

  expect([again.status, again.data]).toEqual([200, data]);
  expect(other.error?.code).toBe('CARD_NOT_ENABLED');
});

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

    for (const paying of [
      world.client.simulate(shop, id),
      world.client.payInSandbox(shop, id, { late: true }),
    ])
      expect(await codeOf(paying)).toEqual([409, 'CHARGE_NOT_PAYABLE']);
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
