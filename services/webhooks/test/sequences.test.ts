import { expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { type Delivery, eventually } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { z } from 'zod';
import { callsTo } from './support/calls.ts';
import { disputeOpened, disputeResolved, messageOf, paid, publish } from './support/emitter.ts';
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
  const { id } = await world.configure(tenant, { url: `${shop.url}/tested` });

  for (let n = 0; n < 2; n += 1) await callsTo(world)(tenant, `POST /${id}/test`);
  await eventually(() => expect(sentTo('tested')).toHaveLength(2));

  const counted = sentTo('tested').map(({ headers }) => headers['x-webhook-sequence']);
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
