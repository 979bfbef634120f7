import { describe, expect, test } from '@jest/globals';
import { api, webhookEvents } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { type Delivery, eventually, rounds } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { z } from 'zod';
import { callsTo } from './support/calls.ts';
import { disputeOpened, disputeResolved, messageOf, paid, publish } from './support/emitter.ts';
import { isGenuine } from './support/faults.ts';
import { deliveryOf } from './support/history.ts';
import { merchantHeader, newTenant } from './support/identity.ts';
import { read } from './support/reader.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(() => startWorld({ retryDelaysMs: [20, 20] }));
const shop = beforeFile(() => world.startMerchant());

const sentTo = (path: string) => shop.deliveries.filter((delivery) => delivery.path === `/${path}`);
const bodyOf = ({ body }: Delivery) => z.looseObject({ eventId: z.string() }).parse(JSON.parse(String(body)));

async function feedOf(tenant: Tenant) {
  const { data } = await read(
    `${world.first.url}/v1/events`,
    merchantHeader(tenant, ['charges:read', 'wallet:read']),
  );
  return z.array(api.listEvents.data).parse(data);
}

test('late and repeated events of an object have their original sequence', async () => {
  const tenant = newTenant();
  await world.configure(tenant, { url: `${shop.url}/ordered` });
  const end = disputeResolved(tenant, 'CANCELLED');
  const opened = disputeOpened(tenant);
  const beginning = { ...opened, aggregateId: end.aggregateId, data: { ...opened.data, id: end.data.id } };
  const [last, first] = [messageOf(end), messageOf(beginning)];

  for (const [message, key] of [
    [last, end.type],
    [first, beginning.type],
    [last, end.type],
  ] as const)
    await publish(world.brokerUrl, message, { key });
  await eventually(() => expect(sentTo('ordered')).toHaveLength(2));

  const sent = sentTo('ordered').map(({ headers, body }) => {
    const { event, sequence } = JSON.parse(String(body));
    return [event, headers['x-webhook-sequence'], sequence];
  });
  expect(sent.toSorted()).toEqual([
    ['dispute.opened', '1', 1],
    ['dispute.resolved', '3', 3],
  ]);
  const shown = (await feedOf(tenant)).map(({ event, sequence }) => [event, sequence]);
  expect(Object.fromEntries(shown)).toEqual({ 'dispute.opened': 1, 'dispute.resolved': 3 });
});

test('each webhook gets its own delivery of the feed’s event', async () => {
  const tenant = newTenant();
  shop.answer(({ path }) => ({ status: path === '/flaky' && sentTo('flaky').length < 2 ? 500 : 200 }));
  for (const path of ['steady', 'flaky']) await world.configure(tenant, { url: `${shop.url}/${path}` });

  await world.emitter.announce(paid(tenant));
  await eventually(() => expect([sentTo('steady').length, sentTo('flaky').length]).toEqual([1, 2]));

  // The feed may also contain an event about the failing endpoint.
  const event = (await feedOf(tenant)).find(({ event }) => event === 'charge.paid');
  const sent = [...sentTo('steady'), ...sentTo('flaky')];
  expect(new Set(sent.map(({ headers }) => headers['x-webhook-event-id']))).toEqual(new Set([event?.id]));
  expect(new Set(sent.map((delivery) => bodyOf(delivery).eventId))).toEqual(new Set([event?.id]));
  expect(new Set(sent.map(({ headers }) => headers['x-webhook-id'])).size).toBe(2);
});

test('test events of a webhook have their own sequence', async () => {
  const tenant = newTenant();
  const { id } = await world.configure(tenant, { url: `${shop.url}/counted` });

  for (let n = 0; n < 2; n += 1) await callsTo(world)(tenant, `POST /${id}/test`);
  await eventually(() => expect(sentTo('counted')).toHaveLength(2));

  const counted = sentTo('counted').map(({ headers }) => headers['x-webhook-sequence']);
  expect(counted.toSorted()).toEqual(['1', '2']);
});

test('an event stored without a sequence is sent without one', async () => {
  const tenant = newTenant();
  const resourceId = newId();
  const { id: configurationId } = await world.configure(tenant, { url: `${shop.url}/old` });

  const { id, event } = await deliveryOf(world.database, tenant, {
    configurationId,
    status: 'PENDING',
    resourceId,
  });
  await world.database.query('UPDATE deliveries SET due_at = now() WHERE id = $1', [id]);
  await eventually(() => expect(sentTo('old')).toHaveLength(1));

  const [sent] = sentTo('old');
  expect(sent?.headers['x-webhook-event-id']).toBe(event.id);
  expect(sent?.headers).not.toHaveProperty('x-webhook-sequence');
  expect(await feedOf(tenant)).toMatchObject([{ id: event.id, sequence: null }]);
});

const call = callsTo(world);

describe('a test event', () => {
  test('is sent, signed and unfiltered, to its own webhook only', async () => {
    const tenant = newTenant();
    const events = ['charge.expired'];
    const { id, secret } = await world.configure(tenant, { url: `${shop.url}/tested`, events });
    await world.configure(tenant, { url: `${shop.url}/other` });

    const { status, json } = await call(tenant, `POST /${id}/test`);
    await eventually(() => expect(sentTo('tested')).toHaveLength(1));

    const delivery = api.testWebhook.data.parse(json.data);
    const [sent] = sentTo('tested');
    const body = JSON.parse(String(sent?.body));
    expect(status).toBe(201);
    expect(delivery).toEqual({
      id: sent?.headers['x-webhook-id'],
      webhookId: id,
      event: 'webhook.test',
      resourceId: id,
      status: 'PENDING',
      attempts: 0,
      nextAttemptAt: expect.any(String),
      createdAt: delivery.nextAttemptAt,
    });
    expect(body).toEqual({
      event: 'webhook.test',
      data: { id, message: expect.any(String), isTest: true },
      timestamp: expect.stringMatching(/Z$/),
      eventId: sent?.headers['x-webhook-event-id'],
      sequence: 1,
    });
    expect(webhookEvents['webhook.test'].parse(body.data)).toEqual(body.data);
    expect(sent && isGenuine(sent, secret)).toBe(true);
    expect(sent?.headers['x-webhook-test']).toBe('true');
    expect(sentTo('other')).toHaveLength(0);
  });

  test('is retried like any event', async () => {
    const tenant = newTenant();
    const { id } = await world.configure(tenant, { url: `${shop.url}/failing` });
    shop.answer(({ path }) => ({ status: path === '/failing' ? 500 : 200 }));

    await call(tenant, `POST /${id}/test`);
    await eventually(async () => {
      const rows = await world.database.query(
        'SELECT status, attempts FROM deliveries WHERE merchant_id = $1',
        [tenant.merchantId],
      );
      expect(rows).toEqual([{ status: 'FAILED', attempts: 3 }]);
    });

    expect(new Set(sentTo('failing').map(({ body }) => body.toString())).size).toBe(1);
  });

  test('for an inactive webhook is refused', async () => {
    const tenant = newTenant();
    const { id } = await world.configure(tenant, { url: shop.url });
    await call(tenant, `PATCH /${id}`, { body: { isActive: false } });

    const { status, json } = await call(tenant, `POST /${id}/test`);

    expect([status, json.error?.code]).toEqual([409, 'INVALID_STATE']);
    const rows = await world.database.query('SELECT id FROM events WHERE merchant_id = $1', [
      tenant.merchantId,
    ]);
    expect(rows).toEqual([]);
  });

  test('during a deletion is sent once or fails, and never waits', async () => {
    for (let round = 0; round < rounds(20); round += 1) {
      const tenant = newTenant();
      const { id } = await world.configure(tenant, { url: `${shop.url}/${round}` });

      const [answer] = await Promise.all([call(tenant, `POST /${id}/test`), call(tenant, `DELETE /${id}`)]);
      await eventually(async () => {
        const waiting = `SELECT id FROM deliveries WHERE merchant_id = $1 AND status = 'PENDING'`;
        expect(await world.database.query(waiting, [tenant.merchantId])).toEqual([]);
      });

      expect([201, 404]).toContain(answer.status);
      expect(sentTo(String(round)).length).toBeLessThanOrEqual(answer.status === 201 ? 1 : 0);
    }
  });
});
