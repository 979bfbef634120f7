import { describe, expect, test } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { callsTo } from './support/calls.ts';
import { paid } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { startWorld, type World } from './support/world.ts';

const FAR_MS = 3_600_000;
const retryDelaysMs = [10, 20, 10, 20, 10];
const laterDelaysMs = [60, 50, 40, 30, 20];

const world = worldOfFile(() => startWorld({ retryDelaysMs, laterDelaysMs }));
const call = callsTo(world);

/** Creates a merchant whose server always fails, and publishes one event for it. */
async function failing(of: World, retrySchedule: string) {
  const shop = await of.startMerchant();
  shop.answer(() => ({ status: 500 }));
  const tenant = newTenant();
  const { id } = await of.configure(tenant, { url: shop.url, retrySchedule });
  await of.emitter.announce(paid(tenant));
  return { shop, tenant, id };
}

async function becomes(of: World, { merchantId }: Tenant, row: object): Promise<void> {
  await eventually(async () => {
    const rows = await of.database.query('SELECT status, attempts FROM deliveries WHERE merchant_id = $1', [
      merchantId,
    ]);
    expect(rows).toEqual([row]);
  });
}

describe('the extended retry schedule', () => {
  test('ends after eleven equal requests with the promised waits', async () => {
    const { shop, tenant } = await failing(world, 'extended');

    await becomes(world, tenant, { status: 'FAILED', attempts: 11 });

    const { deliveries } = shop;
    const waits = [...retryDelaysMs, ...laterDelaysMs];
    expect(deliveries).toHaveLength(11);
    expect(new Set(deliveries.map(({ headers }) => headers['x-webhook-id'])).size).toBe(1);
    expect(new Set(deliveries.map(({ body }) => body.toString('hex'))).size).toBe(1);
    for (const [i, { receivedAt }] of deliveries.slice(1).entries()) {
      expect(receivedAt - (deliveries[i]?.receivedAt ?? 0)).toBeGreaterThanOrEqual((waits[i] ?? 0) - 5);
    }
  });

  test('continues from the attempts of the short schedule, and back', async () => {
    const slow = await startWorld({ retryDelaysMs: [10, FAR_MS], laterDelaysMs: [FAR_MS, 10, 10] });
    const change = callsTo(slow);
    const dueNow = (merchantId: string) =>
      slow.database.query('UPDATE deliveries SET due_at = now() WHERE merchant_id = $1', [merchantId]);
    const { tenant, id } = await failing(slow, 'short');
    await becomes(slow, tenant, { status: 'PENDING', attempts: 2 });

    await change(tenant, `PATCH /${id}`, { body: { retrySchedule: 'extended' } });
    await dueNow(tenant.merchantId);
    await becomes(slow, tenant, { status: 'PENDING', attempts: 3 });
    await change(tenant, `PATCH /${id}`, { body: { retrySchedule: 'short' } });
    await dueNow(tenant.merchantId);
    await becomes(slow, tenant, { status: 'FAILED', attempts: 4 });

    await slow.stop();
  });

  test('applies only to webhooks that chose it', async () => {
    const { shop, tenant, id } = await failing(world, 'short');

    await becomes(world, tenant, { status: 'FAILED', attempts: 6 });

    expect(shop.deliveries).toHaveLength(6);
    expect((await call(tenant, `PATCH /${id}`, { body: { retrySchedule: 'extended' } })).status).toBe(200);
    await becomes(world, tenant, { status: 'FAILED', attempts: 6 });
  });
});
