import { describe, expect, test } from '@jest/globals';
import { type AttemptError, api, type EndpointHealthView } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { z } from 'zod';
import { paid } from '../support/emitter.ts';
import { attemptAt, deliveryOf } from '../support/history.ts';
import { newTenant, operatorHeader } from '../support/identity.ts';
import { read } from '../support/reader.ts';
import { startWorld } from '../support/world.ts';

const world = worldOfFile(() => startWorld({ retryDelaysMs: [1, 1] }));

const url = 'https://shop.example/hook?token=canary-7';
const page = z.array(api.listWebhookEndpoints.data);

async function listed(query: string): Promise<EndpointHealthView[]> {
  const path = `${world.first.url}/v1/admin/webhooks/endpoints?${query}`;
  return page.parse((await read(path, operatorHeader())).data);
}

async function healthOf({ merchantId }: Tenant): Promise<EndpointHealthView> {
  const [health] = await listed(`merchantId=${merchantId}`);
  if (!health) throw new Error('the merchant has no endpoint');
  return health;
}

interface Outcome {
  at: string;
  statusCode?: number;
  failure?: AttemptError;
}

async function shopWith(...outcomes: Outcome[]): Promise<{ tenant: Tenant; id: string }> {
  const tenant = newTenant();
  const { id } = await world.configure(tenant, { url });
  const delivery = await deliveryOf(world.database, tenant, { configurationId: id });
  for (const outcome of outcomes) await attemptAt(world.database, { deliveryId: delivery.id, ...outcome });
  return { tenant, id };
}

const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();

describe('the health of an endpoint', () => {
  test('is unknown without failures before the first attempt', async () => {
    const { tenant, id } = await shopWith();

    expect(await healthOf(tenant)).toEqual({
      ...tenant,
      webhookId: id,
      url: 'https://shop.example/hook',
      isActive: true,
      waiting: 0,
      oldestWaitingSince: null,
      lastAttemptAt: null,
      lastSuccessAt: null,
      lastError: null,
      failuresInARow: 0,
      attempts24h: 0,
      successes24h: 0,
    });
  });

  test('shows the last attempt, the last success and later failures', async () => {
    const [first, second, third] = [hoursAgo(2), hoursAgo(1), hoursAgo(0.5)];
    const { tenant } = await shopWith(
      { at: first, statusCode: 204 },
      { at: second, statusCode: 503 },
      { at: third, failure: 'timeout' },
    );

    expect(await healthOf(tenant)).toMatchObject({
      lastAttemptAt: third,
      lastSuccessAt: first,
      lastError: 'timeout',
      failuresInARow: 2,
      attempts24h: 3,
      successes24h: 1,
    });
  });

  test('is good after one success and still shows the last error', async () => {
    const { tenant } = await shopWith(
      { at: hoursAgo(2), failure: 'connection_failed' },
      { at: hoursAgo(1), statusCode: 301 },
      { at: hoursAgo(0.5), statusCode: 200 },
    );

    expect(await healthOf(tenant)).toMatchObject({ failuresInARow: 0, lastError: 'HTTP 301' });
  });

  test('counts the attempts of one day', async () => {
    const { tenant } = await shopWith(
      { at: hoursAgo(26), statusCode: 200 },
      { at: hoursAgo(22), statusCode: 500 },
      { at: hoursAgo(0), statusCode: 200 },
    );

    expect(await healthOf(tenant)).toMatchObject({ attempts24h: 2, successes24h: 1 });
  });

  test('shows the number and age of waiting deliveries', async () => {
    const { tenant, id: configurationId } = await shopWith();
    for (const hours of [1, 3, 2])
      await deliveryOf(world.database, tenant, { configurationId, status: 'PENDING', at: hoursAgo(hours) });

    const { waiting, oldestWaitingSince } = await healthOf(tenant);

    expect(waiting).toBe(3);
    expect(Date.now() - Date.parse(oldestWaitingSince ?? '')).toBeGreaterThanOrEqual(3 * HOUR_MS);
  });

  test('is updated by real deliveries', async () => {
    const tenant = newTenant();
    const merchant = await world.startMerchant();
    merchant.answer(() => ({ status: 500 }));
    await world.configure(tenant, { url: merchant.url });

    await world.emitter.announce(paid(tenant));
    await eventually(async () =>
      expect(await healthOf(tenant)).toMatchObject({ failuresInARow: 3, waiting: 0 }),
    );
    merchant.answer(() => ({ status: 200 }));
    await world.emitter.announce(paid(tenant));

    await eventually(async () =>
      expect(await healthOf(tenant)).toMatchObject({
        lastError: 'HTTP 500',
        failuresInARow: 0,
        attempts24h: 4,
        successes24h: 1,
      }),
    );
  });
});

describe('the list of endpoints', () => {
  test('begins with the worst and ends with inactive ones', async () => {
    const failed = (times: number) =>
      Array.from({ length: times }, () => ({ at: hoursAgo(1), statusCode: 500 }));
    const { merchantId } = newTenant();
    const ids = new Map<string, number>();
    for (const [times, isActive] of [
      [1, true],
      [9, false],
      [5, true],
      [0, true],
    ] as const) {
      const { id } = await shopWith(...failed(times));
      await world.database.query(`UPDATE configurations SET merchant_id = $2, is_active = $3 WHERE id = $1`, [
        id,
        merchantId,
        isActive,
      ]);
      ids.set(id, times);
    }

    const all = await listed(`merchantId=${merchantId}`);
    const failing = await listed(`merchantId=${merchantId}&failing=true`);
    const second = await listed(`merchantId=${merchantId}&limit=1&page=2`);

    expect(all.map(({ webhookId }) => ids.get(webhookId))).toEqual([5, 1, 0, 9]);
    expect(failing.map(({ webhookId }) => ids.get(webhookId))).toEqual([5, 1]);
    expect(second.map(({ webhookId }) => ids.get(webhookId))).toEqual([1]);
  });

  test('can be filtered by environment', async () => {
    const tenant = newTenant();
    const elsewhere: Tenant = { ...tenant, environment: 'production' };
    await world.configure(tenant, { url });
    const { id } = await world.configure(elsewhere, { url });

    const found = await listed(`merchantId=${tenant.merchantId}&environment=production`);

    expect(found.map(({ webhookId }) => webhookId)).toEqual([id]);
  });

  test('omits deleted webhooks', async () => {
    const { tenant, id } = await shopWith();
    await world.database.query(
      `UPDATE configurations SET is_active = false, deleted_at = now(), secret_key_id = NULL,
        secret_sealed = NULL
       WHERE id = $1`,
      [id],
    );

    expect(await listed(`merchantId=${tenant.merchantId}`)).toEqual([]);
  });
});
