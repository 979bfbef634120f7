import { expect, test } from '@jest/globals';
import { createLog, migrate, openDatabase } from '@plataforma/chassis';
import { newId } from '@plataforma/kernel';
import { createTestDatabase } from '@plataforma/testing';
import { migrations } from '../../migrations/index.ts';
import { findDelivery, listDeliveries } from '../../src/store/delivery-lists.ts';
import { listEndpoints } from '../../src/store/endpoint-health.ts';
import { listEvents } from '../../src/store/event-lists.ts';
import { attemptAt, deliveryOf } from '../support/history.ts';
import { newTenant } from '../support/identity.ts';

const since = new Date('2026-11-01T00:00:00.000Z');
const slice = { page: 1, limit: 20 };

test('what was delivered before there were lists stands in them', async () => {
  const home = await createTestDatabase();
  const database = openDatabase({
    url: home.url,
    poolSize: 1,
    log: createLog({ service: 'test', level: 'silent' }),
  });
  await migrate(
    home.url,
    migrations.filter(({ name }) => name < '010'),
  );
  const tenant = newTenant();
  const configurationId = newId();
  await database.query(
    `INSERT INTO configurations (id, merchant_id, environment, url, events, secret_key_id, secret_sealed)
     VALUES ($1, $2, $3, 'https://shop.example/hook', '{}', 'first', '')`,
    [configurationId, tenant.merchantId, tenant.environment],
  );
  const at = '2026-11-20T12:00:00.123Z';
  const { id, event } = await deliveryOf(database, tenant, { configurationId, type: 'dispute.opened', at });
  await attemptAt(database, tenant, { deliveryId: id, at: '2026-11-20T12:00:01.000Z' });
  await attemptAt(database, tenant, { deliveryId: id, at: '2026-11-20T12:00:02.000Z', statusCode: 502 });

  await migrate(home.url, migrations);

  const listed = await listDeliveries(database, tenant, { ...slice, event: 'dispute.opened' });
  const feed = await listEvents(database, tenant, { ...slice, since, startDate: new Date(at) });
  const story = await findDelivery(database, tenant, id);
  const { items: endpoints } = await listEndpoints(database, slice);
  expect(listed.items.map((delivery) => delivery.id)).toEqual([id]);
  expect(feed.items.map((happened) => happened.id)).toEqual([event.id]);
  expect(story?.tries.map(({ statusCode }) => statusCode)).toEqual([200, 502]);
  expect(endpoints).toEqual([
    expect.objectContaining({
      configurationId,
      lastAttemptAt: new Date('2026-11-20T12:00:02.000Z'),
      lastSuccessAt: new Date('2026-11-20T12:00:01.000Z'),
      lastError: 'HTTP 502',
      failuresInARow: 1,
    }),
  ]);
  await database.close();
  await home.drop();
});
