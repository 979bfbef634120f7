import { expect, test } from '@jest/globals';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { cancelled, messageOf, paid, publish, unexpectedPayment } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);
const shop = beforeFile(() => world.startMerchant());

test('an unexpected payment is stored, and sent only to subscribed webhooks', async () => {
  const tenant = newTenant();
  await world.configure(tenant, { url: `${shop.url}/all` });
  await world.configure(tenant, { url: `${shop.url}/named`, events: ['payment.unexpected', 'charge.paid'] });
  const [event, last] = [unexpectedPayment(tenant), paid(tenant)];

  const message = messageOf(event);
  for (let times = 0; times < 2; times += 1) await publish(world.brokerUrl, message, { key: event.type });
  await publish(world.brokerUrl, messageOf(last), { key: last.type });
  await shop.waitFor(({ path, body }) => path === '/all' && body.includes(last.data.id));
  // The order of events of two objects is not defined, so the test waits for both deliveries.
  for (const { data } of [event, last])
    await shop.waitFor(({ path, body }) => path === '/named' && body.includes(data.id));

  const received = shop.deliveries.filter(({ body }) => body.includes(event.data.id));
  const stored = await world.database.query('SELECT type FROM events WHERE resource_id = $1', [
    event.data.id,
  ]);
  expect(received.map(({ path }) => path)).toEqual(['/named']);
  expect(JSON.parse(received[0]?.body.toString() ?? '')).toMatchObject({
    event: event.type,
    data: event.data,
  });
  expect(stored).toEqual([{ type: 'payment.unexpected' }]);
});

test('a live update is stored and sent only with a subscribed webhook', async () => {
  const [naming, other] = [newTenant(), newTenant()];
  await world.configure(naming, { url: `${shop.url}/hinted`, events: ['charge.cancelled', 'charge.paid'] });
  await world.configure(naming, { url: `${shop.url}/everything` });
  await world.configure(other, { url: `${shop.url}/everything` });
  const liveUpdates = [naming, other].map(cancelled);
  const last = [naming, other].map(paid);

  for (const event of [...liveUpdates, ...last])
    await publish(world.brokerUrl, messageOf(event), { key: event.type });
  for (const { data } of last)
    await shop.waitFor(({ path, body }) => path === '/everything' && body.includes(data.id));
  const [hinted] = liveUpdates;
  await shop.waitFor(({ path, body }) => path === '/hinted' && body.includes(hinted?.aggregateId ?? ''));

  const ids = liveUpdates.map(({ aggregateId }) => aggregateId);
  const sent = shop.deliveries.filter(({ body }) => ids.some((id) => body.includes(id)));
  const stored = await world.database.query<{ id: string }>(
    'SELECT resource_id AS id FROM events WHERE resource_id = ANY ($1)',
    [ids],
  );
  expect(sent.map(({ path }) => path)).toEqual(['/hinted']);
  expect(JSON.parse(String(sent[0]?.body))).toMatchObject({ event: 'charge.cancelled', sequence: 1 });
  expect(stored).toEqual([{ id: ids[0] }]);
});
