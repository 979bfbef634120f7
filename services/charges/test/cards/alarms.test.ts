import { describe, expect, test } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { type Behaviour, eventually, openMetricsScraper } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { z } from 'zod';
import { readAlarms } from '../support/alarms.ts';
import { blockingAnswer } from '../support/blocking-answer.ts';
import { chargeAnswering, startCardWorld } from '../support/card-world.ts';

const scraper = beforeFile(openMetricsScraper);
const world = worldOfFile(() =>
  startCardWorld({
    tuning: { leaseMs: 1_500, providerTimeoutMs: 60_000 },
    settings: { METRICS_PORT: String(scraper.port) },
  }),
);

const DAY_SECONDS = 86_400;
const refusing: Behaviour = () => ({ status: 412, body: { message: 'This charge can not be canceled.' } });
const nothing: Behaviour = () => ({ status: 200, body: { data: [] } });

const alarmsOf = async ({ merchantId }: Tenant) =>
  (await readAlarms(world.client, `&merchantId=${merchantId}`)).alarms;

/** Makes a payment that the acquirer has approved, and lets the time to repeat its request pass. */
async function uncollected() {
  const story = await world.unanswered();
  await world.letPass(story.externalId, 0);
  await world.become(story.externalId, { acquirer_id: story.payment?.id });
  await world.letPass(story.externalId, 15 * 60);
  return story;
}

describe('a payment that the acquirer refuses to void', () => {
  test('raises one alarm and is retried until it is voided', async () => {
    world.acquirer.always('cancel', refusing);
    const { shop, order, payment, id } = await uncollected();
    const cancels = () => world.acquirer.requestsFor(payment?.id ?? '', 'cancel').length;
    await eventually(() => expect(cancels()).toBeGreaterThan(1));
    const alarms = await alarmsOf(shop);
    const [alarm] = alarms;
    const counted = (await scraper.scrape()).valueOf('plataforma_alarms_open', { subject: 'card' });
    world.acquirer.always('cancel');
    await world.become(order.externalId, { status: 'DECLINED', decline_reason: 'voided' });

    const closing = { note: 'estornado pelo adquirente' };
    const { status } = await world.operate(`/charges/alarms/${alarm?.id}/settle`, closing);

    expect(alarms).toMatchObject([
      { subject: 'card', subjectId: id, chargeId: id, ...shop, kind: 'DONE_AFTER_FAILED', amount: 2500 },
    ]);
    expect([counted, status]).toEqual([1, 200]);
    expect(await alarmsOf(shop)).toMatchObject([{ id: alarm?.id, note: 'estornado pelo adquirente' }]);
    expect(payment).toMatchObject({ status: 'canceled', canceledAmount: 2500 });
  });

  test('raises an alarm even after its attempt has ended', async () => {
    const { shop, order, payment, id } = await world.unanswered();
    world.acquirer.always('find', nothing);
    await world.neverArrives(order.externalId);
    await world.become(order.externalId, { status: 'DECLINED', is_watched: true });
    world.acquirer.always('cancel', refusing);
    world.acquirer.always('find');

    const alarms = await eventually(async () => {
      await world.letPassWatched(order.externalId);
      const raised = await alarmsOf(shop);
      expect(raised).toHaveLength(1);
      return raised;
    });
    world.acquirer.always('cancel');
    await world.become(order.externalId, { status: 'DECLINED', is_watched: false });

    expect(alarms).toMatchObject([{ subject: 'card', subjectId: id, kind: 'DONE_AFTER_FAILED' }]);
    expect(payment).toMatchObject({ status: 'canceled', canceledAmount: 2500 });
  });
});

test('a payment that the acquirer voids raises no alarm', async () => {
  const { shop, order } = await uncollected();

  await world.become(order.externalId, { status: 'DECLINED', decline_reason: 'voided' });

  expect(await alarmsOf(shop)).toEqual([]);
});

test('an approval after the end of the watch raises an alarm', async () => {
  const { shop, card, order, answer, release } = await world.paying();
  await world.neverArrives(order.externalId);
  await eventually(async () => {
    await world.letPassWatched(order.externalId, DAY_SECONDS);
    expect(await world.attemptsOf(order.externalId)).toMatchObject([{ is_watched: false }]);
  });

  release();

  expect((await answer).status).toBe(402);
  expect(await alarmsOf(shop)).toMatchObject([{ subject: 'card', kind: 'DONE_AFTER_FAILED', amount: 2500 }]);
  await eventually(() =>
    expect(world.acquirer.book.ofCard(card)).toMatchObject([{ status: 'canceled', canceledAmount: 2500 }]),
  );
});

describe('an acquirer that contradicts itself', () => {
  /** Delays the first caller's answer until a repeated request has paid the charge. */
  async function answeredLate(fields: Record<string, unknown>) {
    const blocked = blockingAnswer(chargeAnswering(fields));
    const { shop, order, answer } = await world.paying({}, blocked);
    await world.letPass(order.externalId, 0);
    const collected = await world.client.create(shop, order);
    expect(collected.status).toBe(200);
    blocked.release();
    return { shop, order, collected, late: await answer };
  }

  test('with a second payment of one charge raises an alarm', async () => {
    const { shop, order, collected, late } = await answeredLate({ id: 'ch_segunda', amount: 2400 });

    const [attempt] = await world.attemptsOf(order.externalId);
    expect([late.status, late.data]).toEqual([201, collected.data]);
    expect(attempt).toMatchObject({ status: 'PAID', acquirer_id: expect.not.stringMatching('ch_segunda') });
    expect(await alarmsOf(shop)).toMatchObject([{ subject: 'card', kind: 'DONE_TWICE', amount: 2400 }]);
    expect(await world.eventsOf(attempt?.id ?? '')).toHaveLength(1);
  });

  test('with a decline after a collected approval raises an alarm', async () => {
    const { shop, order, collected, late } = await answeredLate({ status: 'failed' });

    expect([late.status, late.data]).toEqual([201, collected.data]);
    await world.become(order.externalId, { status: 'PAID', decline_reason: null });
    expect(await alarmsOf(shop)).toMatchObject([
      { subject: 'card', kind: 'FAILED_AFTER_DONE', amount: 2500 },
    ]);
  });

  test('with a decline after an uncollected approval raises an alarm', async () => {
    const blocked = blockingAnswer(chargeAnswering({ status: 'failed' }));
    const { shop, order, answer, release } = await world.paying({}, blocked);
    await world.letPass(order.externalId, 0);
    await world.become(order.externalId, { status: 'PENDING', acquirer_id: expect.any(String) });

    release();
    const { status } = await answer;
    const collected = await world.client.create(shop, order);

    expect([status, collected.status]).toEqual([503, 200]);
    expect(await alarmsOf(shop)).toMatchObject([{ subject: 'card', kind: 'FAILED_AFTER_DONE' }]);
  });

  test('with a payment of another amount raises an alarm', async () => {
    const { shop, order } = world.ordered();
    world.acquirer.next('pay', chargeAnswering({ amount: 2600 }));

    const { status } = await world.client.create(shop, order);

    expect(status).toBe(201);
    expect(await alarmsOf(shop)).toMatchObject([{ subject: 'card', kind: 'ANOTHER_AMOUNT', amount: 2600 }]);
  });

  test('with a void larger than the payment raises an alarm', async () => {
    const twice: Behaviour = (perform) => {
      const reply = perform();
      if (typeof reply === 'string' || 'text' in reply) return reply;
      const { canceled_amount, ...charge } = z.looseObject({ canceled_amount: z.int() }).parse(reply.body);
      return { ...reply, body: { ...charge, canceled_amount: canceled_amount * 2 } };
    };
    world.acquirer.always('inspect', twice);
    const { shop, order } = await uncollected();

    await world.become(order.externalId, { status: 'DECLINED', decline_reason: 'voided' });
    world.acquirer.always('inspect');

    expect(await alarmsOf(shop)).toMatchObject([{ subject: 'card', kind: 'ANOTHER_AMOUNT', amount: 5000 }]);
  });
});
