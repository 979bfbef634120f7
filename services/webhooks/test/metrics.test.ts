import { beforeAll, expect, test } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { type Answer, eventually, type MetricsScraper, openMetricsScraper } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { startWebhooks } from '../src/service.ts';
import { paid } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { startWorld } from './support/world.ts';

/** Retries follow after an hour, so that no retry runs during a test. */
const LONG_TIMEOUTS = { attemptTimeoutMs: 5_000, retryDelaysMs: [3_600_000] };

const world = worldOfFile(() => startWorld(LONG_TIMEOUTS));
const scraper = beforeFile(openMetricsScraper);
beforeAll(async () =>
  world.stopFirst(await startWebhooks({ ...world.env, METRICS_PORT: String(scraper.port) }, LONG_TIMEOUTS)),
);

test('metrics show the state of deliveries and endpoints without merchants’ data', async () => {
  const merchants = {
    glad: await merchantAnswering({ status: 204 }),
    cross: await merchantAnswering({ status: 500 }),
    hanging: await merchantAnswering({ status: 200, delayMs: 60_000 }),
    gone: await merchantAnswering({ status: 200 }),
    quiet: await merchantAnswering({ status: 200 }),
    leaving: await merchantAnswering({ status: 200 }),
  };
  // The first replica is stopped, so that it does not take the deliveries that the test counts.
  await world.first.stop();
  await merchants.gone.shop.stop();
  await world.database.query('UPDATE configurations SET is_active = false WHERE merchant_id = $1', [
    merchants.leaving.tenant.merchantId,
  ]);

  const { glad, cross, hanging, gone } = merchants;
  await world.emitter.announce(...[glad, glad, cross, hanging, gone].map(({ tenant }) => paid(tenant)));

  const shown = await eventually(async () => {
    const found = await scraper.scrape();
    expect(outcomes(found)).toEqual({ delivered: 2, refused: 1, timeout: 1, failed: 1 });
    expect(found.valueOf('plataforma_webhook_endpoints', { state: 'failing' })).toBe(3);
    // The metric counts an attempt before the database has its result, so the test retries.
    expect(found.valueOf('plataforma_deliveries_waiting')).toBe(3);
    expect(found.valueOf('plataforma_webhook_endpoints', { state: 'healthy' })).toBe(1);
    return found;
  });
  expect(
    ['healthy', 'failing', 'untried', 'inactive', 'held_back'].map((state) =>
      shown.valueOf('plataforma_webhook_endpoints', { state }),
    ),
  ).toEqual([1, 3, 1, 1, 1]);
  expect(shown.valueOf('plataforma_deliveries_oldest_due_seconds')).toBe(0);
  expect(shown.valueOf('plataforma_events_total', { type: 'charge.paid', outcome: 'applied' })).toBe(5);
  for (const { tenant, shop } of Object.values(merchants)) {
    expect(shown.text).not.toContain(tenant.merchantId);
    expect(shown.text).not.toContain(new URL(shop.url).port);
  }
});

test('the age of the oldest overdue delivery is visible', async () => {
  // The delivery gets a lease that no sender will end.
  await world.database.query(
    `UPDATE deliveries SET due_at = now() - interval '5 minutes', lease_token = gen_random_uuid(),
       leased_until = now() + interval '1 hour'
     WHERE id = (SELECT id FROM deliveries WHERE status = 'PENDING' LIMIT 1)`,
  );

  const oldest = (await scraper.scrape()).valueOf('plataforma_deliveries_oldest_due_seconds');

  expect(oldest).toBeGreaterThanOrEqual(300);
  expect(oldest).toBeLessThan(3_600);
});

test('webhooks exports these metrics', async () => {
  expect((await scraper.scrape()).names).toEqual([
    'plataforma_connections_refused_total',
    'plataforma_database_connections',
    'plataforma_dead_letters',
    'plataforma_deliveries_oldest_due_seconds',
    'plataforma_deliveries_waiting',
    'plataforma_delivery_duration_seconds',
    'plataforma_event_comparisons_total',
    'plataforma_event_lag_seconds',
    'plataforma_event_signatures_total',
    'plataforma_events_total',
    'plataforma_events_unclaimable_total',
    'plataforma_hints_total',
    'plataforma_http_request_duration_seconds',
    'plataforma_orders_unproven_total',
    'plataforma_partitions_ahead',
    'plataforma_partitions_overdue',
    'plataforma_queue_consumers',
    'plataforma_queue_messages',
    'plataforma_reads_connections',
    'plataforma_reads_refused_total',
    'plataforma_row_seals_broken_total',
    'plataforma_slots_refused_total',
    'plataforma_webhook_endpoints',
  ]);
});

async function merchantAnswering(answer: Answer) {
  const shop = await world.startMerchant();
  shop.answer(() => answer);
  const tenant: Tenant = newTenant();
  await world.configure(tenant, { url: shop.url });
  return { shop, tenant };
}

function outcomes(shown: Awaited<ReturnType<MetricsScraper['scrape']>>) {
  const name = 'plataforma_delivery_duration_seconds_count';
  const found = shown.samples.filter((sample) => sample.name === name);
  return Object.fromEntries(found.map(({ labels, value }) => [labels.outcome, value]));
}
