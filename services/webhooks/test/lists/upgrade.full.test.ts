import { expect, test } from '@jest/globals';
import { type Database, migrate } from '@plataforma/data';
import { newId, type Tenant } from '@plataforma/kernel';
import { openTestDatabase } from '@plataforma/testing/world';
import { migrations } from '../../migrations/index.ts';
import { findDelivery, listDeliveries } from '../../src/store/delivery-lists.ts';
import { listEndpoints } from '../../src/store/endpoint-health.ts';
import { listEvents } from '../../src/store/event-lists.ts';
import { newTenant } from '../support/identity.ts';

const since = new Date('2026-11-01T00:00:00.000Z');
const slice = { page: 1, limit: 20 };

test('what was delivered before there were lists stands in them', async () => {
  const home = await openTestDatabase();
  const { database } = home;
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
  const { id, eventId } = await deliveredAt(at, { database, tenant, configurationId });

  await migrate(home.url, migrations);

  const listed = await listDeliveries(database, tenant, { ...slice, event: 'dispute.opened' });
  const feed = await listEvents(database, tenant, { ...slice, since, types: null, startDate: new Date(at) });
  const story = await findDelivery(database, tenant, id);
  const { items: endpoints } = await listEndpoints(database, slice);
  expect(listed.items.map((delivery) => delivery.id)).toEqual([id]);
  expect(feed.items.map((happened) => happened.id)).toEqual([eventId]);
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
});

interface Shop {
  database: Database;
  tenant: Tenant;
  configurationId: string;
}

/** A dispute that was told of in two attempts, of which the second failed. */
async function deliveredAt(at: string, { database, tenant, configurationId }: Shop) {
  const { merchantId, environment } = tenant;
  const [id, eventId] = [newId(), newId()];
  await database.query(
    `INSERT INTO events (id, merchant_id, environment, type, resource_id, body, created_at)
     VALUES ($1, $2, $3, 'dispute.opened', $4, $5, $6)`,
    [eventId, merchantId, environment, newId(), JSON.stringify({ timestamp: at }), at],
  );
  await database.query(
    `INSERT INTO deliveries (id, merchant_id, environment, event_id, configuration_id, status, due_at, created_at)
     VALUES ($1, $2, $3, $4, $5, 'FAILED', NULL, $6)`,
    [id, merchantId, environment, eventId, configurationId, at],
  );
  await database.query(
    `INSERT INTO delivery_attempts (delivery_id, number, merchant_id, environment, at, duration_ms, status_code)
     VALUES ($1, 1, $2, $3, '2026-11-20T12:00:01Z', 20, 200), ($1, 2, $2, $3, '2026-11-20T12:00:02Z', 20, 502)`,
    [id, merchantId, environment],
  );
  return { id, eventId };
}
