import { describe, expect, test } from '@jest/globals';
import { api, type Scope } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { z } from 'zod';
import { paid } from '../support/emitter.ts';
import { deliveryOf } from '../support/history.ts';
import { newTenant } from '../support/identity.ts';
import { expectNarrowed, readerOf, testMerchantList } from '../support/merchant-lists.ts';
import { startWorld } from '../support/world.ts';

const world = worldOfFile(() => startWorld({ retryDelaysMs: [600_000] }));

const url = 'https://shop.example/hook';
const NOW = Date.now();
const DAY_MS = 86_400_000;
/** Returns the day (UTC) `before` days ago. Deliveries of that day are still kept. */
const day = (before: number) => new Date(NOW - before * DAY_MS).toISOString().slice(0, 10);
const NOON = `${day(10)}T12:00:00.000Z`;
const page = z.array(api.listWebhookDeliveries.data);

const list = {
  world,
  path: '/v1/webhook-deliveries',
  scopes: ['webhooks:write' as const],
};
const { get, listed } = readerOf(list);

/**
 * Creates a merchant with a configuration. Returns a function that stores deliveries to this configuration.
 */
async function shop(environment: Tenant['environment'] = 'sandbox') {
  const tenant = newTenant(environment);
  const { id: configurationId } = await world.configure(tenant, { url });
  return {
    tenant,
    configurationId,
    deliver: (past: Partial<Parameters<typeof deliveryOf>[2]> = {}) =>
      deliveryOf(world.database, tenant, { configurationId, ...past }),
  };
}

describe('a list of deliveries', () => {
  test.each<[Scope, string[]]>([
    ['charges:read', ['charge.paid', 'webhook.test']],
    ['wallet:read', ['withdrawal.completed', 'webhook.test']],
    ['webhooks:write', ['charge.paid', 'withdrawal.completed', 'webhook.test']],
    ['charges:write', ['charge.paid', 'withdrawal.completed', 'webhook.test']],
  ])('shows a key with %s only %j, in lists and by id', async (scope, shown) => {
    const { tenant, deliver } = await shop();
    const types = ['charge.paid', 'withdrawal.completed', 'webhook.test'];
    const made = await Promise.all(types.map(async (type) => ({ type, ...(await deliver({ type })) })));

    const { data, meta } = await get(tenant, '', [scope]);

    expect(page.parse(data).map(({ event }) => event)).toEqual(expect.arrayContaining(shown));
    expect(meta?.total).toBe(shown.length);
    for (const { type, id } of made) {
      const { status } = await get(tenant, `/${id}`, [scope]);
      expect([type, status]).toEqual([type, shown.includes(type) ? 200 : 404]);
    }
  });

  const configured = new Map<string, Promise<{ id: string }>>();
  testMerchantList({
    ...list,
    async make(tenant, past) {
      const configuring = configured.get(tenant.merchantId) ?? world.configure(tenant, { url });
      configured.set(tenant.merchantId, configuring);
      return deliveryOf(world.database, tenant, { configurationId: (await configuring).id, ...past });
    },
  });

  test('shows the state of each delivery', async () => {
    const { tenant, configurationId, deliver } = await shop();
    const { id, event } = await deliver({ type: 'dispute.opened', status: 'FAILED', at: NOON });

    const { data } = await get(tenant);

    const { resourceId } = event;
    const expected = { webhookId: configurationId, event: 'dispute.opened', resourceId, status: 'FAILED' };
    expect(data).toEqual([{ id, ...expected, attempts: 0, nextAttemptAt: null, createdAt: NOON }]);
  });

  test('skips no delivery between pages while new ones arrive', async () => {
    const { tenant, deliver } = await shop();
    const ids: string[] = [];
    for (let i = 0; i < 12; i += 1) ids.push((await deliver({ at: NOON })).id);

    const pages: string[] = [];
    for (const number of [1, 2, 3, 4, 5]) {
      pages.push(...(await listed(tenant, `limit=5&page=${number}`)));
      await deliver();
    }

    expect(pages).toEqual(expect.arrayContaining(ids));
  });

  test('ends with an empty page that shows the total', async () => {
    const { tenant, deliver } = await shop();
    await deliver();

    const { data, meta } = await get(tenant, '?page=1000000&limit=100');

    expect([data, meta]).toEqual([[], { total: 1, page: 1_000_000, limit: 100, pages: 1 }]);
  });
});

describe('the filters of deliveries', () => {
  test('work alone and all together', async () => {
    const { tenant, configurationId, deliver } = await shop();
    const { id: otherId } = await world.configure(tenant, { url });
    const about = newId();
    const at = NOON;
    const matching = await deliver({ type: 'charge.paid', status: 'FAILED', resourceId: about, at });
    const others = {
      webhookId: await deliver({ configurationId: otherId, status: 'FAILED', resourceId: about, at }),
      event: await deliver({ type: 'webhook.test', status: 'FAILED', resourceId: about, at }),
      status: await deliver({ status: 'PENDING', resourceId: about, at }),
      resourceId: await deliver({ status: 'FAILED', at }),
      startDate: await deliver({ status: 'FAILED', resourceId: about, at: `${day(11)}T23:59:59.999Z` }),
      endDate: await deliver({ status: 'FAILED', resourceId: about, at: `${day(9)}T00:00:00.000Z` }),
    };
    const filters = {
      webhookId: configurationId,
      event: 'charge.paid',
      status: 'FAILED',
      resourceId: about,
      startDate: day(10),
      endDate: day(10),
    };

    await expectNarrowed((query) => listed(tenant, query), filters, { matching, others });
  });

  test('find nothing for a webhook or resource of another merchant', async () => {
    const mine = await shop();
    const { event } = await mine.deliver();
    const stranger = await shop();
    await stranger.deliver();

    expect(await listed(stranger.tenant, `webhookId=${mine.configurationId}`)).toEqual([]);
    expect(await listed(stranger.tenant, `resourceId=${event.resourceId}`)).toEqual([]);
  });
});

describe('one delivery', () => {
  test('shows the sent JSON and each attempt', async () => {
    const tenant = newTenant();
    const merchant = await world.startMerchant();
    merchant.answer(() => ({ status: 503, body: 'fora do ar' }));
    const { id: webhookId } = await world.configure(tenant, { url: `${merchant.url}/?token=t` });
    const event = paid(tenant);
    await world.emitter.announce(event);
    const sent = await merchant.waitFor(({ body }) => body.includes(event.data.id));

    const story = await eventually(async () => {
      const [id = ''] = await listed(tenant);
      const { data } = await get(tenant, `/${id}`);
      const found = api.getWebhookDelivery.data.parse(data);
      // The attempt may still be running when the list shows the delivery, so the test retries.
      expect([found.attempts.length, found.nextAttemptAt]).toEqual([1, expect.any(String)]);
      return found;
    });

    const [attempt] = story.attempts;
    expect(story).toMatchObject({
      id: sent.headers['x-webhook-id'],
      webhookId,
      event: 'charge.paid',
      resourceId: event.data.id,
      status: 'PENDING',
      payload: JSON.parse(sent.body.toString()),
    });
    expect(attempt).toMatchObject({ statusCode: 503, error: null, responseBody: 'fora do ar' });
    // In this test the first retry follows after ten minutes.
    const waitMs = Date.parse(story.nextAttemptAt ?? '') - Date.parse(attempt?.at ?? '');
    expect(waitMs).toBeGreaterThanOrEqual(600_000);
  });

  test('has no next attempt while one is running', async () => {
    const { tenant, deliver } = await shop();
    const { id } = await deliver({ status: 'PENDING' });
    const lease = 'UPDATE deliveries SET due_at = $2, lease_token = $3, leased_until = $4 WHERE id = $1';
    const next = async () =>
      api.getWebhookDelivery.data.parse((await get(tenant, `/${id}`)).data).nextAttemptAt;
    const at = '2998-01-01T00:00:00.000Z';

    await world.database.query(lease, [id, at, newId(), '2999-01-01T00:00:00.000Z']);
    expect(await next()).toBeNull();

    await world.database.query(lease, [id, at, newId(), '2026-01-01T00:00:00.000Z']);
    expect(await next()).toBe(at);

    await world.database.query(lease, [id, at, null, null]);
    expect(await next()).toBe(at);
  });
});
