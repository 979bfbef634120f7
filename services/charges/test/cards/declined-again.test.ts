import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { rounds } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { type CardWorld, sharedCardWorld } from '../support/card-world.ts';
import { repeatable, saidIn } from '../support/keyed.ts';
import type { Replica } from '../support/world.ts';

const world = worldOfFile(sharedCardWorld);
const second = beforeFile(() => world.startReplica());

const ROUNDS = rounds(20);
const created = api.createCharge.data;
const DECLINED = [402, 'CARD_DECLINED', 'the card was declined: insufficient_funds'];
const BAD = { fate: 'failed', returnCode: '51' } as const;

/** Sends an order. The acquirer decides, but its answer is lost. */
async function unanswered(traits: Parameters<CardWorld['newCard']>[0] = BAD) {
  const story = await world.unanswered(traits);
  return { ...story, orders: () => world.acquirer.book.ofCard(story.card) };
}

/** Sends an order that is declined. Only the scheduler learns of the decline. */
async function declinedUnanswered() {
  const story = await unanswered();
  await world.letPass(story.externalId, 5);
  await world.become(story.externalId, { status: 'DECLINED' });
  return { ...story, requestsBefore: world.acquirer.requests.length };
}

const summaryOf = ({ status, error }: Awaited<ReturnType<CardWorld['client']['create']>>) => [
  status,
  error?.code,
  error?.message,
];
const statusesOf = async ({ externalId }: Record<string, unknown>) =>
  (await world.attemptsOf(externalId)).map(({ status }) => status);

describe('an order repeated after the scheduler found its decline', () => {
  test.each([
    ['every time', 1],
    ['from both replicas at the same moment', 2],
  ])('gets the decline %s, without a request or record', async (_how, atOnce) => {
    const { shop, order, orders, requestsBefore } = await declinedUnanswered();
    const send = (at: Replica | CardWorld) => at.client.create(shop, order);

    const again =
      atOnce === 2 ? await Promise.all([send(world), send(second)]) : [await send(world), await send(second)];

    expect(again.map(summaryOf)).toEqual([DECLINED, DECLINED]);
    expect(await statusesOf(order)).toEqual(['DECLINED']);
    expect(world.acquirer.requests).toHaveLength(requestsBefore);
    expect(orders()).toHaveLength(1);
  });

  test('under a key gets the same decline again', async () => {
    const { shop, order, requestsBefore } = await declinedUnanswered();
    const ask = repeatable({ tenant: shop, path: '/v1/charges', body: order });

    const first = await ask(world.client);
    const paid = await world.payAnew(shop, order.externalId);
    const again = await ask(second.client);

    expect([summaryOf(first), first.isReplay]).toEqual([DECLINED, false]);
    expect([saidIn(again), again.isReplay]).toEqual([saidIn(first), true]);
    expect(paid.status).toBe(201);
    // The acquirer got only one more request: the order with the other card.
    expect(world.acquirer.requests).toHaveLength(requestsBefore + 1);
  });

  test('with another token is a new attempt', async () => {
    const { shop, order } = await declinedUnanswered();
    const other = world.newCard();

    const paid = await world.client.create(shop, world.withCard(order, other));
    const again = await world.client.create(shop, order);

    const { id } = created.parse(paid.data);
    expect([paid.status, again.status, again.data]).toEqual([201, 200, paid.data]);
    expect(world.acquirer.book.ofCard(other)).toMatchObject([{ status: 'paid', order: { code: id } }]);
    expect(await statusesOf(order)).toEqual(['DECLINED', 'PAID']);
  });

  test('with another amount is refused because of its token', async () => {
    const { shop, order, requestsBefore } = await declinedUnanswered();

    const other = await world.client.create(shop, { ...order, amount: 3100 });

    expect([other.status, other.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(other.error?.message).toMatch(/^cardToken: /);
    expect(await statusesOf(order)).toEqual(['DECLINED']);
    expect(world.acquirer.requests).toHaveLength(requestsBefore);
  });

  test('of another merchant or externalId is refused', async () => {
    const { shop, order } = await declinedUnanswered();
    const elsewhere = world.orderWith(world.newCard(), { cardToken: order.cardToken });

    const answers = [
      await world.client.create(shop, elsewhere),
      await world.client.create(world.newShop(), order),
    ];

    expect(answers.map(({ status, error }) => [status, error?.code])).toEqual(
      Array(2).fill([400, 'VALIDATION_ERROR']),
    );
  });
});

describe('an order repeated while the scheduler finds its decline', () => {
  test(`gets the decline, ${ROUNDS} times`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { shop, order, orders } = await unanswered();

      const [, ...answers] = await Promise.all([
        world.letPass(order.externalId, 5),
        world.client.create(shop, order),
        second.client.create(shop, order),
      ]);

      expect(answers.map(summaryOf)).toEqual([DECLINED, DECLINED]);
      expect(await statusesOf(order)).toEqual(['DECLINED']);
      expect(orders()).toHaveLength(1);
    }
  });
});

describe('a repeated card order', () => {
  test('gets the same decline again', async () => {
    const { shop, order } = world.ordered(BAD);
    const first = await world.client.create(shop, order);
    const requestsBefore = world.acquirer.requests.length;

    const again = await world.client.create(shop, order);

    expect([summaryOf(first), saidIn(again)]).toEqual([DECLINED, saidIn(first)]);
    expect(await statusesOf(order)).toEqual(['DECLINED']);
    expect(world.acquirer.requests).toHaveLength(requestsBefore);
  });

  test('gets CARD_DECLINED after its payment was voided', async () => {
    const { shop, order, orders } = await unanswered({});
    await world.letPass(order.externalId, 0);
    await world.become(order.externalId, { acquirer_id: expect.any(String) });
    await world.letPass(order.externalId, 15 * 60);
    await world.become(order.externalId, { status: 'DECLINED' });

    const again = await world.client.create(shop, order);

    expect(summaryOf(again)).toEqual([402, 'CARD_DECLINED', 'the card was declined: voided']);
    expect(orders()).toMatchObject([{ status: 'canceled' }]);
    expect(await statusesOf(order)).toEqual(['DECLINED']);
  });

  test('with a refused token gets the same error each time', async () => {
    const shop = world.newShop();
    const order = { ...world.orderWith(world.newCard()), cardToken: 'token_de_ninguem' };
    const first = await world.client.create(shop, order);

    const again = await world.client.create(shop, order);

    expect([first.status, first.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(saidIn(again)).toEqual(saidIn(first));
  });
});

test('a card charge stores its token’s hash, a Pix charge none', async () => {
  const { shop, order } = world.ordered(BAD);
  await world.client.create(shop, order);
  await world.client.create(shop, { ...order, paymentMethod: 'PIX' });

  const rows = await world.database.query<{ hash: string | null; whole: string }>(
    `SELECT encode(card_token_hash, 'hex') AS hash, charges::text AS whole FROM charges
     WHERE external_id = $1 ORDER BY created_at`,
    [order.externalId],
  );

  const hash = createHash('sha256').update(String(order.cardToken)).digest('hex');
  expect(rows.map((row) => row.hash)).toEqual([hash, null]);
  expect(rows.map(({ whole }) => whole.includes(String(order.cardToken)))).toEqual([false, false]);
});
