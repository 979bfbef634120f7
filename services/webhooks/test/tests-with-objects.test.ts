import { describe, expect, test } from '@jest/globals';
import { api, webhookEvents, webhookEventTypes } from '@plataforma/contracts';
import type { Announcement } from '@plataforma/events';
import { newId, type Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { z } from 'zod';
import { callsTo } from './support/calls.ts';
import { disputeOpened, expired, paid, unexpectedPayment } from './support/emitter.ts';
import { merchantHeader, newTenant } from './support/identity.ts';
import { read } from './support/reader.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);
const call = callsTo(world);
const shop = beforeFile(() => world.startMerchant());

const posted = z.strictObject({
  event: z.string(),
  data: z.looseObject({ id: z.uuid() }),
  timestamp: z.iso.datetime(),
  eventId: z.uuid(),
  sequence: z.int(),
});

async function feedOf(tenant: Tenant) {
  const { data } = await read(`${world.first.url}/v1/events?limit=100`, merchantHeader(tenant));
  return api.listEvents.data.array().parse(data);
}

/**
 * Creates a merchant whose feed contains these events, with a webhook that subscribes to `withdrawal.failed`
 * only.
 */
async function shopWith(...announcements: ((tenant: Tenant) => Announcement)[]) {
  const tenant = newTenant();
  const events = announcements.map((announcement) => announcement(tenant));
  const { id } = await world.configure(tenant, {
    url: `${shop.url}/${newId()}`,
    events: ['withdrawal.failed'],
  });
  await world.emitter.announce(...events);
  await eventually(async () => expect(await feedOf(tenant)).toHaveLength(events.length));
  const asks = (body: Record<string, unknown>) => call(tenant, `POST /${id}/test`, { body });
  return {
    ...{ tenant, id, events, asks },
    async tested(body: Record<string, unknown>) {
      const { json } = await asks(body);
      const delivery = api.testWebhook.data.parse(json.data);
      const sent = () => shop.deliveries.find(({ headers }) => headers['x-webhook-id'] === delivery.id);
      await eventually(() => expect(sent()).toBeDefined());
      return { delivery, headers: sent()?.headers, body: posted.parse(JSON.parse(String(sent()?.body))) };
    },
  };
}

describe('a test event of a chosen type', () => {
  test('has the named object and is marked as a test', async () => {
    const { events, tested } = await shopWith(paid, expired);
    const [charge] = events;

    const { delivery, headers, body } = await tested({ event: 'charge.paid', objectId: charge?.aggregateId });

    expect(body).toMatchObject({
      event: 'charge.paid',
      data: { ...webhookEvents['charge.paid'].parse(charge?.data), isTest: true },
      eventId: headers?.['x-webhook-event-id'],
    });
    expect(headers).toMatchObject({ 'x-webhook-test': 'true', 'x-webhook-sequence': '0' });
    expect(body.sequence).toBe(0);
    expect(delivery.event).toBe('webhook.test');
  });

  test('uses the newest matching object by default', async () => {
    const { events, tested } = await shopWith(disputeOpened, unexpectedPayment, paid);

    const { body } = await tested({ event: 'dispute.resolved' });

    expect(body).toMatchObject({
      event: 'dispute.resolved',
      data: { id: events[0]?.aggregateId, amount: 2500, status: 'RESOLVED_MERCHANT', isTest: true },
    });
  });

  test('shows a hypothetical result for a paid charge', async () => {
    const { events, tested } = await shopWith(paid);

    const refunded = await tested({ event: 'charge.refunded' });
    const failed = await tested({ event: 'charge.refund_failed' });
    const over = await tested({ event: 'charge.expired' });

    const { id, netAmount, paidAt } = webhookEvents['charge.paid'].parse(events[0]?.data);
    expect(refunded.body.data).toMatchObject({ id, refundedAmount: netAmount, paidAt, status: 'REFUNDED' });
    expect(failed.body.data).toMatchObject({ id, refund: { amount: netAmount, status: 'FAILED' } });
    expect(over.body.data).toMatchObject({ id, paidAt: null, status: 'EXPIRED' });
  });

  test.each(webhookEventTypes)('may be %s, with a body that matches the document', async (event) => {
    const { tested } = await shopWith();

    const { body } = await tested({ event });

    expect(body.event).toBe(event);
    expect(z.strictObject(webhookEvents[event].shape).parse(body.data)).toEqual(body.data);
    expect(body.data).toMatchObject({ isTest: true });
  });

  test('does not appear in the account’s feed', async () => {
    const { tenant, tested } = await shopWith(paid);
    const before = await feedOf(tenant);

    await tested({ event: 'charge.refunded' });

    expect(await feedOf(tenant)).toEqual(before);
  });
});

describe('a refused test event', () => {
  test('is 404 for objects of another merchant or environment', async () => {
    const other = await shopWith(paid);
    const { tenant, asks } = await shopWith(paid);
    const live = paid({ ...tenant, environment: 'production' });
    await world.emitter.announce(live);
    const objectIds = [other.events[0]?.aggregateId, live.aggregateId, newId()];

    const answers = await Promise.all(objectIds.map((objectId) => asks({ event: 'charge.paid', objectId })));

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    const message =
      'objectId: no event of your feed is about this charge: name one that is in GET /v1/events, or leave it out';
    expect(answers.map(({ json }) => json.error)).toEqual(Array(3).fill({ code: 'NOT_FOUND', message }));
  });

  test('is 404 for an object of another type', async () => {
    const { events, asks } = await shopWith(paid);

    const { status } = await asks({ event: 'withdrawal.completed', objectId: events[0]?.aggregateId });

    expect(status).toBe(404);
  });

  test.each([
    [{ objectId: newId() }, 'event: is required'],
    [{ event: 'charge.sold' }, 'event: must be one of'],
    [{ event: 'charge.paid', objectId: 'x' }, 'objectId: must be'],
  ])('has the body %j', async (body, message) => {
    const { asks } = await shopWith();

    const { status, json } = await asks(body);

    expect([status, json.error?.message]).toEqual([400, expect.stringContaining(message)]);
  });

  test('does not count in the sequence of its webhook', async () => {
    const { asks, tested } = await shopWith();

    await asks({ event: 'charge.paid', objectId: newId() });

    const { headers, delivery } = await tested({});
    expect([headers?.['x-webhook-sequence'], delivery.event]).toEqual(['1', 'webhook.test']);
  });
});
