import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { z } from 'zod';
import { deliveryOf, idAt } from '../support/history.ts';
import { newTenant, operatorHeader } from '../support/identity.ts';
import { type Read, read } from '../support/reader.ts';
import { startWorld } from '../support/world.ts';

const world = worldOfFile(startWorld);

const page = z.array(api.listAllWebhookDeliveries.data);
const url = 'https://shop.example/hook?token=canary-7';
const NOW = Date.now();
const DAY_MS = 86_400_000;
/**
 * Returns the UTC day `before` days ago. The tests choose days within the retention of deliveries, so that
 * the service still has their deliveries.
 */
const day = (before: number) => new Date(NOW - before * DAY_MS).toISOString().slice(0, 10);

const get = (path: string, headers = operatorHeader()): Promise<Read> =>
  read(`${world.first.url}/v1/admin/webhooks${path}`, headers);

async function listed(query = ''): Promise<string[]> {
  return page.parse((await get(`/deliveries?${query}`)).data).map(({ id }) => id);
}

/**
 * Creates a merchant with a configuration. Returns a function that stores deliveries to this configuration.
 */
async function shop(environment: Tenant['environment'] = 'sandbox') {
  const tenant = newTenant(environment);
  const { id: configurationId } = await world.configure(tenant, { url });
  return {
    ...tenant,
    configurationId,
    deliver: (past: Partial<Parameters<typeof deliveryOf>[2]> = {}) =>
      deliveryOf(world.database, tenant, { configurationId, ...past }),
  };
}

describe('the operators’ list of deliveries', () => {
  test('shows all merchants’ deliveries with owners and the URL’s path only', async () => {
    const [one, other] = [await shop(), await shop('production')];
    const first = await one.deliver();
    const second = await other.deliver({ status: 'FAILED' });

    const answer = await get('/deliveries?limit=2');

    const { merchantId, environment, configurationId } = other;
    expect(page.parse(answer.data).map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(answer.data).toHaveProperty('0', {
      id: second.id,
      merchantId,
      environment,
      webhookId: configurationId,
      url: 'https://shop.example/hook',
      event: 'charge.paid',
      resourceId: second.event.resourceId,
      status: 'FAILED',
      attempts: 0,
      nextAttemptAt: null,
      createdAt: second.event.at,
    });
    expect(JSON.stringify(answer)).not.toContain('canary-7');
  });

  test('can be filtered by each filter and all together', async () => {
    const [mine, production, other] = [await shop(), await shop('production'), await shop()];
    const resourceId = newId();
    const at = `${day(10)}T12:00:00.000Z`;
    const past = { status: 'FAILED', resourceId, at } as const;
    const matching = await mine.deliver(past);
    const others = {
      merchantId: [await production.deliver(past), await other.deliver(past)],
      environment: [await production.deliver(past)],
      webhookId: [await other.deliver(past), await production.deliver(past)],
      event: [await mine.deliver({ ...past, type: 'charge.expired' })],
      status: [await mine.deliver({ ...past, status: 'SUCCEEDED' })],
      resourceId: [await mine.deliver({ ...past, resourceId: newId() })],
      startDate: [await mine.deliver({ ...past, at: `${day(11)}T23:59:59.999Z` })],
      endDate: [await mine.deliver({ ...past, at: `${day(9)}T00:00:00.000Z` })],
    };
    const filters = {
      merchantId: mine.merchantId,
      environment: mine.environment,
      webhookId: mine.configurationId,
      event: 'charge.paid',
      status: 'FAILED',
      resourceId,
      startDate: day(10),
      endDate: day(10),
    };

    for (const [name, value] of Object.entries(filters)) {
      const left = await listed(`${name}=${value}&limit=100`);
      const gone = Object.entries(others).find(([of]) => of === name)?.[1] ?? [];
      expect([name, left]).toEqual([name, expect.arrayContaining([matching.id])]);
      for (const { id } of gone) expect([name, left]).not.toEqual([name, expect.arrayContaining([id])]);
    }
    expect(await listed(`${new URLSearchParams(filters)}`)).toEqual([matching.id]);
  });

  test('is empty for an unknown webhook', async () => {
    expect(await listed(`webhookId=${newId()}`)).toEqual([]);
  });

  test('counts at most 10000 without filters, and pages continue beyond', async () => {
    const { merchantId, environment, configurationId } = await shop();
    await world.database.query(
      `WITH stored AS (
        INSERT INTO events (id, merchant_id, environment, type, resource_id, body, occurred_at)
        SELECT ${idAt('now()')}, $1, $2, 'charge.paid', gen_random_uuid(), '{}', now()
        FROM generate_series(1, 10010) RETURNING id, type)
      INSERT INTO deliveries (id, merchant_id, environment, event_id, event_type, configuration_id, status,
      due_at)
      SELECT ${idAt('now()')}, $1, $2, id, type, $3, 'SUCCEEDED', NULL FROM stored`,
      [merchantId, environment, configurationId],
    );

    const [all, last, beyond] = [
      await get('/deliveries'),
      await get('/deliveries?limit=99&page=102'),
      await get('/deliveries?limit=10&page=1001'),
    ];
    const narrowed = await get(`/deliveries?merchantId=${merchantId}`);

    const capped = { total: 10_000, totalIsCapped: true, next: expect.any(String) };
    expect(all.meta).toEqual({ ...capped, page: 1, limit: 20, pages: 500 });
    expect(last.data).not.toHaveLength(0);
    expect(beyond.data).toHaveLength(10);
    expect(beyond.meta?.total).toBe(10_000);
    expect(narrowed.meta?.total).toBe(10_010);
  });
});
