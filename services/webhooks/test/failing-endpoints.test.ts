import { expect, test } from '@jest/globals';
import { api, webhookEvents } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { eventually, type FakeMerchant } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { announceFailing } from '../src/operations/announce-failing.ts';
import { paid } from './support/emitter.ts';
import { attemptAt, deliveryOf } from './support/history.ts';
import { merchantHeader, newTenant } from './support/identity.ts';
import { read } from './support/reader.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(() => startWorld({ retryDelaysMs: [1, 1], pollMs: 50 }));
const second = beforeFile(() => world.startMerchant());

/** Returns the `webhook.failing` events in a merchant's feed, oldest first. */
async function turnsOf(tenant: Tenant) {
  const { data } = await read(
    `${world.first.url}/v1/events?event=webhook.failing&order=asc`,
    merchantHeader(tenant, ['events:read']),
  );
  return api.listEvents.data.array().parse(data);
}

const attempts = (tenant: Tenant, configurationId: string) => {
  const at = new Date().toISOString();
  return async (outcome: { statusCode?: number; failure?: 'timeout' | 'connection_failed'; at?: string }) => {
    const { id } = await deliveryOf(world.database, tenant, { configurationId });
    await attemptAt(world.database, { deliveryId: id, at, ...outcome });
  };
};

const announce = () => announceFailing({ database: world.database, wakeFeedReaders: () => undefined });
/** Runs six announcements at the same time. The service itself runs announcements too. */
const announceAtOnce = () => Promise.all(Array.from({ length: 6 }, announce));

test('a failing endpoint is announced once to other subscribed webhooks', async () => {
  const tenant = newTenant();
  const broken = await world.startMerchant();
  broken.answer(() => ({ status: 503 }));
  const url = `${broken.url}/hook`;
  const { id } = await world.configure(tenant, {
    url: `${url}?token=canary-7`,
    events: ['charge.paid', 'webhook.failing'],
  });
  await world.configure(tenant, { url: `${second.url}/named`, events: ['webhook.failing'] });
  await world.configure(tenant, { url: `${second.url}/all` });

  const event = paid(tenant);
  await world.emitter.announce(event);
  const delivery = await second.waitFor(({ path, body }) => path === '/named' && body.includes(id));

  const body = JSON.parse(String(delivery.body));
  expect(body).toMatchObject({ event: 'webhook.failing', sequence: 1 });
  const data = webhookEvents['webhook.failing'].parse(body.data);
  expect(data).toEqual({
    ...{ id, webhookId: id, url, lastError: 'HTTP 503' },
    ...{ since: expect.any(String), failuresInARow: expect.any(Number) },
  });
  await second.waitFor(({ path, body: sent }) => path === '/all' && sent.includes(event.data.id));
  await eventually(() => expect(broken.deliveries).toHaveLength(3));
  await announceAtOnce();
  const sent = (to: FakeMerchant) =>
    to.deliveries.filter(({ body: text }) => text.includes('webhook.failing'));
  expect([sent(broken), sent(second).map(({ path }) => path)]).toEqual([[], ['/named']]);
  await eventually(async () =>
    expect(await turnsOf(tenant)).toMatchObject([
      { event: 'webhook.failing', resourceId: id, data: body.data },
    ]),
  );
});

test('an endpoint that recovers may be announced again, a slow one not', async () => {
  const tenant = newTenant();
  const { id } = await world.configure(tenant, { url: `${second.url}/flapping` });
  const attempt = attempts(tenant, id);
  const turns = async () =>
    (await turnsOf(tenant)).map(({ data }) => {
      const { lastError, failuresInARow } = webhookEvents['webhook.failing'].parse(data);
      return `${lastError} after ${failuresInARow}`;
    });

  await attempt({ statusCode: 200 });
  const since = new Date(Date.now() + 1_000).toISOString();
  await attempt({ failure: 'timeout', at: since });
  await announceAtOnce();
  expect(await turns()).toEqual([]);

  await attempt({ failure: 'connection_failed', at: new Date(Date.now() + 2_000).toISOString() });
  await announceAtOnce();
  await eventually(async () => expect(await turns()).toEqual(['connection_failed after 2']));
  expect(await turnsOf(tenant)).toMatchObject([{ data: { since } }]);
  await attempt({ statusCode: 500, at: new Date(Date.now() + 3_000).toISOString() });
  await attempt({ failure: 'timeout', at: new Date(Date.now() + 4_000).toISOString() });
  await attempt({ statusCode: 500, at: new Date(Date.now() + 5_000).toISOString() });
  await announceAtOnce();
  await attempt({ statusCode: 204, at: new Date(Date.now() + 6_000).toISOString() });
  await announceAtOnce();
  expect(await turns()).toHaveLength(1);
  await attempt({ statusCode: 404, at: new Date(Date.now() + 7_000).toISOString() });
  await announceAtOnce();

  await eventually(async () =>
    expect(await turns()).toEqual(['connection_failed after 2', 'HTTP 404 after 1']),
  );
  const [{ id: event = newId() } = {}] = (await turnsOf(tenant)).slice(1);
  expect((await read(`${world.first.url}/v1/events/${event}`, merchantHeader(tenant))).status).toBe(200);
});

test('an inactive or previously failing webhook is not announced', async () => {
  const tenant = newTenant();
  const [off, older] = [
    await world.configure(tenant, { url: `${second.url}/off` }),
    await world.configure(tenant, { url: `${second.url}/older` }),
  ];
  await world.database.query('UPDATE configurations SET is_active = false WHERE id = $1', [off.id]);
  await world.database.transaction(async (tx) => {
    const row = `INSERT INTO endpoint_health (configuration_id, last_attempt_at, last_error,
      failures_in_a_row)
      VALUES ($1, now(), 'HTTP 500', 3)`;
    await tx.query(row, [older.id]);
    await tx.query('UPDATE endpoint_health SET failing_since = NULL WHERE configuration_id = $1', [older.id]);
  });
  await attempts(tenant, older.id)({ statusCode: 500 });
  await attempts(tenant, off.id)({ statusCode: 500 });

  await announceAtOnce();

  expect(await turnsOf(tenant)).toEqual([]);
});
