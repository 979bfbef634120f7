import { expect, test } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { doneThen500, doneThenGarbage, error500, eventually, openMetricsScraper } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { startCardWorld } from './support/card-world.ts';
import { newOrder } from './support/client.ts';
import { newTenant } from './support/identity.ts';

const scraper = beforeFile(openMetricsScraper);
const world = worldOfFile(() =>
  startCardWorld({
    settings: { METRICS_PORT: String(scraper.port), PIX_PRODUCTION_URL: 'http://127.0.0.1:1' },
  }),
);

const REQUESTS = 'plataforma_http_request_duration_seconds_count';
const CALLS = 'plataforma_provider_call_duration_seconds_count';
const REGISTER = { provider: 'pix', operation: 'register' };

async function create(tenant: Tenant, changes?: Record<string, unknown>): Promise<number> {
  const { status } = await world.client.create(tenant, newOrder(changes));
  return status;
}

test('provider calls are counted by their outcome', async () => {
  const shop = newTenant();
  const statuses = [await create(shop)];
  world.provider.next('create', doneThen500);
  statuses.push(await create(shop));
  world.provider.next('create', doneThenGarbage);
  statuses.push(await create(shop));
  statuses.push(await create(newTenant('production')));

  const shown = await scraper.scrape();

  const counted = (environment: string, outcome: string) =>
    shown.valueOf(CALLS, { ...REGISTER, environment, outcome });
  expect(statuses).toEqual([201, 503, 502, 503]);
  expect(counted('sandbox', 'done')).toBe(1);
  expect(counted('sandbox', 'unknown')).toBe(2);
  expect(counted('production', 'unreachable')).toBe(1);
  expect(counted('production', 'unknown')).toBe(undefined);
  expect(shown.text).not.toContain(shop.merchantId);
  await eventually(async () => {
    const later = await scraper.scrape();
    const answered = (environment: string, status: string) =>
      later.valueOf(REQUESTS, { route: '/v1/charges', environment, status });
    expect([answered('sandbox', '201'), answered('sandbox', '503'), answered('production', '503')]).toEqual([
      1, 1, 1,
    ]);
  });
});

test('a declined card counts as refused, each list page once', async () => {
  const shop = world.newShop();
  const declined = world.orderWith(world.newCard({ fate: 'failed' }));

  const { status } = await world.client.create(shop, declined);

  expect(status).toBe(402);
  await eventually(async () => {
    const shown = await scraper.scrape();
    expect(shown.valueOf(CALLS, { provider: 'card', outcome: 'refused' })).toBe(1);
    expect(shown.valueOf(CALLS, { provider: 'pix', operation: 'listPayments', outcome: 'done' })).toBe(
      world.provider.requests.filter(({ operation }) => operation === 'list-payments').length,
    );
  });
});

test('an unconfirmed order is shown with its age until confirmation', async () => {
  const order = newOrder();
  const shop = newTenant('production');
  const charge = { kind: 'pix_charge', environment: 'production' };
  const before = (await scraper.scrape()).valueOf('plataforma_unknown_outcomes', charge) ?? 0;

  await world.client.create(shop, order);
  await world.database.query(
    `UPDATE charges SET created_at = created_at - interval '10 minutes' WHERE external_id = $1`,
    [order.externalId],
  );
  const open = await scraper.scrape();
  await world.database.query(
    `UPDATE charges SET qr_code = 'code' WHERE status = 'PENDING' AND environment = 'production'`,
  );
  const resolved = await scraper.scrape();

  expect(open.valueOf('plataforma_unknown_outcomes', charge)).toBe(before + 1);
  expect(open.valueOf('plataforma_unknown_oldest_seconds', charge)).toBeGreaterThanOrEqual(600);
  expect(resolved.valueOf('plataforma_unknown_outcomes', charge)).toBe(0);
  expect(resolved.valueOf('plataforma_unknown_oldest_seconds', charge)).toBe(0);
  for (const kind of ['card', 'refund']) {
    expect(resolved.valueOf('plataforma_unknown_outcomes', { kind, environment: 'sandbox' })).toBe(0);
  }
});

test('a card is unconfirmed before its approval and during its void', async () => {
  const outcomes = async () => {
    const shown = await scraper.scrape();
    const card = { kind: 'card', environment: 'sandbox' };
    return ['outcomes', 'oldest_seconds'].map(
      (name) => shown.valueOf(`plataforma_unknown_${name}`, card) ?? 0,
    );
  };
  world.acquirer.always('find', error500);
  const { externalId } = await world.unanswered();
  const [unanswered] = await outcomes();
  world.acquirer.always('find');
  await world.letPass(externalId, 60);
  await world.become(externalId, { acquirer_id: expect.any(String) });
  const waiting = await outcomes();
  world.acquirer.always('cancel', error500);
  await world.letPass(externalId, 3_600);
  await world.become(externalId, { is_voiding: true });
  const [voided, voidedFor] = await outcomes();

  expect([unanswered, waiting, voided]).toEqual([1, [0, 0], 1]);
  expect(voidedFor).toBeGreaterThanOrEqual(3_600);
});

test('the service exposes exactly these metrics', async () => {
  expect((await scraper.scrape()).names).toEqual([
    'plataforma_alarms_open',
    'plataforma_checkout_cards_paused_total',
    'plataforma_checkout_ends_failed_total',
    'plataforma_checkouts_kept_seconds',
    'plataforma_checkouts_oldest_untouched_seconds',
    'plataforma_connections_refused_total',
    'plataforma_counters_unfolded',
    'plataforma_database_connections',
    'plataforma_dead_letters',
    'plataforma_event_comparisons_total',
    'plataforma_event_lag_seconds',
    'plataforma_event_signatures_total',
    'plataforma_events_total',
    'plataforma_events_unclaimable_total',
    'plataforma_files_at_quota_total',
    'plataforma_hints_total',
    'plataforma_http_request_duration_seconds',
    'plataforma_orders_unproven_total',
    'plataforma_outbox_oldest_seconds',
    'plataforma_outbox_waiting',
    'plataforma_partitions_ahead',
    'plataforma_partitions_overdue',
    'plataforma_proposals_oldest_seconds',
    'plataforma_provider_call_duration_seconds',
    'plataforma_queue_consumers',
    'plataforma_queue_messages',
    'plataforma_reads_connections',
    'plataforma_reads_refused_total',
    'plataforma_reconciliation_behind_seconds',
    'plataforma_row_seals_broken_total',
    'plataforma_slots_refused_total',
    'plataforma_stops_active',
    'plataforma_stops_started_alone',
    'plataforma_stops_waiting',
    'plataforma_unknown_oldest_seconds',
    'plataforma_unknown_outcomes',
  ]);
});
