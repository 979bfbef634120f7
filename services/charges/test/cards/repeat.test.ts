import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
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
