import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import type { Behaviour } from '@plataforma/testing';
import {
  answeringWith,
  doneThen500,
  doneThenGarbage,
  doneThenReset,
  doneThenSilence,
  error500,
  reset,
  silence,
  tokenEnded,
  tooMany,
} from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { startCardWorld } from '../support/card-world.ts';

// The scheduler is idle, so that only requests ask the acquirer.
const world = worldOfFile(() => startCardWorld({ tuning: { scheduleEveryMs: 3_600_000 } }));

const created = api.createCharge.data;
const UNAVAILABLE = [503, 'PROVIDER_UNAVAILABLE'];
const ERROR = [502, 'PROVIDER_ERROR'];
const garbage: Behaviour = () => ({ status: 200, text: '<html>OK</html>' });
const badRequest: Behaviour = () => ({ status: 400, body: { message: 'The request is invalid.' } });

const faults: [string, Behaviour, unknown[]][] = [
  ['does not answer', silence, UNAVAILABLE],
  ['resets the connection', reset, UNAVAILABLE],
  ['answers 500', error500, UNAVAILABLE],
  ['answers 429', tooMany, UNAVAILABLE],
  ['answers garbage', garbage, ERROR],
  ['refuses the order', badRequest, ERROR],
  ['refuses the caller', tokenEnded, ERROR],
  ['charges and does not answer', doneThenSilence, UNAVAILABLE],
  ['charges and resets the connection', doneThenReset, UNAVAILABLE],
  ['charges and answers 500', doneThen500, UNAVAILABLE],
  ['charges and answers garbage', doneThenGarbage, ERROR],
  ['charges and answers with another order', answeringWith({ code: 'x' }), ERROR],
  ['charges and answers without a charge', answeringWith({ status: 'paid', charges: [] }), ERROR],
];

describe.each(faults)('an acquirer that %s', (_what, fault, expected) => {
  test('charges a good card once; the repeated request returns it', async () => {
    const { shop, card, order } = world.ordered();
    world.acquirer.next('pay', fault);

    const failed = await world.client.create(shop, order);
    const [attempt] = await world.attemptsOf(order.externalId);
    const repeated = await world.client.create(shop, order);

    expect([failed.status, failed.error?.code]).toEqual(expected);
    expect(failed.headers.get('retry-after')).toBe(failed.status === 503 ? '2' : null);
    expect(repeated.status).toBe(200);
    expect(created.parse(repeated.data)).toMatchObject({ id: attempt?.id, status: 'PAID', amount: 2500 });
    expect(world.acquirer.book.ofCard(card)).toMatchObject([{ status: 'paid', canceledAmount: 0 }]);
    expect(await world.eventsOf(attempt?.id ?? '')).toHaveLength(1);
    expect(await world.attemptsOf(order.externalId)).toHaveLength(1);
  });

  test('declines a bad card; the repeated request returns the decline', async () => {
    const { shop, card, order } = world.ordered({ fate: 'failed', returnCode: '54' });
    world.acquirer.next('pay', fault);

    const failed = await world.client.create(shop, order);
    const [attempt] = await world.attemptsOf(order.externalId);
    const repeated = world.client.create(shop, order);
    const end = { id: attempt?.id, status: 'DECLINED', decline_reason: 'expired_card' };
    await world.become(order.externalId, end);

    expect([failed.status, failed.error?.code]).toEqual(expected);
    expect([(await repeated).status, (await repeated).error?.code]).toEqual([402, 'CARD_DECLINED']);
    expect((await repeated).error?.message).toContain('expired_card');
    expect(world.acquirer.book.ofCard(card)).toMatchObject([{ status: 'failed' }]);
    expect(await world.eventsOf(attempt?.id ?? '')).toEqual([]);
  });
});

describe('a payment in processing', () => {
  test.each(['paid', 'failed'] as const)('that is %s later is returned with that result', async (end) => {
    const { shop, card, order } = world.ordered({ fate: 'processing', returnCode: '51' });
    const first = await world.client.create(shop, order);
    const [payment] = world.acquirer.book.ofCard(card);
    world.acquirer.book.decide(payment?.id ?? '', end);

    const repeated = await world.client.create(shop, order);

    expect([first.status, first.error?.code]).toEqual(UNAVAILABLE);
    expect(repeated.status).toBe(end === 'paid' ? 200 : 402);
    expect(world.acquirer.requestsFor(payment?.order.code ?? '', 'pay')).toHaveLength(1);
    expect(world.acquirer.book.ofCard(card)).toHaveLength(1);
    expect(await world.eventsOf(payment?.order.code ?? '')).toHaveLength(end === 'paid' ? 1 : 0);
  });

  test('stays undecided and keeps its externalId', async () => {
    const shortTimeout = await world.startReplica({ cardMaxWaitMs: 1_500 });
    const { shop, card, order } = world.ordered({ fate: 'processing' });
    await shortTimeout.client.create(shop, order);

    const again = await shortTimeout.client.create(shop, order);
    const other = await shortTimeout.client.create(shop, { ...order, amount: 9900 });

    expect([again.status, again.error?.code]).toEqual(UNAVAILABLE);
    expect(again.error?.message).toContain('send the same request again');
    expect([other.status, other.error?.code]).toEqual([409, 'EXTERNAL_ID_CONFLICT']);
    expect(world.acquirer.book.ofCard(card)).toHaveLength(1);
    await shortTimeout.stop();
  });
});

describe('an order with an unknown outcome', () => {
  test('may be sent again with a fresh token', async () => {
    const { shop, card, order, id } = await world.unanswered({}, error500);

    const useless = await world.client.create(shop, { ...order, cardToken: 'token_usado' });
    const meanwhile = await world.attemptsOf(order.externalId);
    const fresh = await world.client.create(shop, world.withCard(order, card));

    expect([useless.status, useless.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(useless.error?.message).toMatch(/^cardToken: /);
    expect(meanwhile).toMatchObject([{ id, status: 'PENDING' }]);
    expect([fresh.status, created.parse(fresh.data).id]).toEqual([200, id]);
    expect(world.acquirer.book.ofCard(card)).toHaveLength(1);
  });

  test('is charged in its first number of installments', async () => {
    const shop = world.newShop();
    const card = world.newCard();
    const order = world.orderWith(card, { installments: 3 });
    world.acquirer.next('pay', error500);
    await world.client.create(shop, order);

    const other = await world.client.create(shop, { ...order, installments: 12 });
    const repeated = await world.client.create(shop, order);

    const [payment] = world.acquirer.book.ofCard(card);
    expect([other.status, other.error?.code]).toEqual([409, 'EXTERNAL_ID_CONFLICT']);
    expect(created.parse(repeated.data).installments).toBe(3);
    expect(payment?.order.payments[0]?.credit_card.installments).toBe(3);
  });

  test('returns the true state once the acquirer answers', async () => {
    world.acquirer.always('find', error500);
    const { shop, card, order } = await world.unanswered();
    const blind = await world.client.create(shop, order);
    world.acquirer.always('find');

    const repeated = await world.client.create(shop, order);

    expect([blind.status, blind.error?.code]).toEqual(UNAVAILABLE);
    expect([repeated.status, created.parse(repeated.data).status]).toEqual([200, 'PAID']);
    expect(world.acquirer.book.ofCard(card)).toHaveLength(1);
  });
});
