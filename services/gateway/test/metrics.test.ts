import { expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { eventually, openMetricsScraper } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { startWorld } from './support/world.ts';

const scraper = beforeFile(openMetricsScraper);
/** This gateway has no connection to a message broker. */
const world = worldOfFile(() => startWorld({ settings: { METRICS_PORT: String(scraper.port) } }));

const REQUESTS = 'plataforma_http_request_duration_seconds_count';

test('requests are counted by route pattern and environment, without ids', async () => {
  const merchant = await world.approvedMerchant();
  const { key } = await world.newKey(merchant);
  const id = newId();
  const production = { ...merchant.bearer, 'x-environment': 'production' };

  await world.call(`/v1/charges/${id}`, { headers: { 'x-api-key': key } });
  await world.call(`/v1/charges/${id}`, { headers: production });
  await world.call(`/v1/charges/${id}`);
  await world.call('/v1/account', { headers: production });
  await world.call(`/v1/nothing/${id}`);

  const shown = await eventually(async () => {
    const found = await scraper.scrape();
    const forwarded = { method: 'GET', route: '/v1/charges/:id' };
    expect(found.valueOf(REQUESTS, { ...forwarded, environment: 'sandbox', status: '200' })).toBe(1);
    expect(found.valueOf(REQUESTS, { ...forwarded, environment: 'production', status: '200' })).toBe(1);
    expect(found.valueOf(REQUESTS, { ...forwarded, environment: 'none', status: '401' })).toBe(1);
    const others = { environment: 'none' };
    expect(found.valueOf(REQUESTS, { ...others, method: 'GET', route: '(none)', status: '404' })).toBe(1);
    expect(found.valueOf(REQUESTS, { ...others, route: '/v1/auth/register', status: '201' })).toBe(1);
    expect(found.valueOf(REQUESTS, { ...others, route: '/v1/account', status: '200' })).toBe(1);
    return found;
  });
  for (const secret of [id, key, merchant.id, merchant.email]) expect(shown.text).not.toContain(secret);
});

test('an open circuit is visible while callers are refused', async () => {
  const { key } = await world.newKey(await world.newMerchant());
  const name = 'plataforma_circuit_open';
  const before = await scraper.scrape();
  await world.services.charges.down();

  for (let count = 0; count < 25; count += 1)
    await world.call('/v1/charges', { headers: { 'x-api-key': key } });

  expect(before.valueOf(name, { to: 'charges', callers: 'sandbox' })).toBe(0);
  const states = await eventually(async () => {
    await world.call('/v1/charges', { headers: { 'x-api-key': key } });
    const shown = await scraper.scrape();
    expect(shown.valueOf(name, { to: 'charges', callers: 'sandbox' })).toBe(1);
    return shown.samples.filter((sample) => sample.name === name);
  });
  const open = states.filter(({ value }) => value === 1);
  expect(open.map(({ labels }) => [labels.to, labels.callers])).toEqual([['charges', 'sandbox']]);
  expect(new Set(states.map(({ labels }) => labels.to))).toEqual(
    new Set(['charges', 'withdrawals', 'ledger', 'webhooks']),
  );
});

test('unpublished events wait in the outbox', async () => {
  const shown = await scraper.scrape();

  expect(shown.valueOf('plataforma_outbox_waiting')).toBeGreaterThan(0);
  expect(shown.valueOf('plataforma_outbox_oldest_seconds')).toBeGreaterThan(0);
});

test('no other listener serves the metrics', async () => {
  const { status } = await world.call('/metrics');

  expect(status).toBe(404);
});

test('the gateway exports these metrics', async () => {
  expect((await scraper.scrape()).names).toEqual([
    'plataforma_audit_epochs_begun_alone',
    'plataforma_audit_log_broken',
    'plataforma_audit_log_checked_seconds',
    'plataforma_chain_unanchored_seconds',
    'plataforma_circuit_open',
    'plataforma_connections_refused_total',
    'plataforma_database_connections',
    'plataforma_dead_letters',
    'plataforma_event_comparisons_total',
    'plataforma_event_lag_seconds',
    'plataforma_event_signatures_total',
    'plataforma_events_total',
    'plataforma_events_unclaimable_total',
    'plataforma_hints_total',
    'plataforma_http_request_duration_seconds',
    'plataforma_operator_factors_reset',
    'plataforma_operator_passkeys',
    'plataforma_orders_unproven_total',
    'plataforma_outbox_oldest_seconds',
    'plataforma_outbox_waiting',
    'plataforma_partitions_ahead',
    'plataforma_partitions_overdue',
    'plataforma_proposals_oldest_seconds',
    'plataforma_reads_connections',
    'plataforma_reads_refused_total',
    'plataforma_request_log_lost_total',
    'plataforma_row_seals_broken_total',
    'plataforma_slots_refused_total',
  ]);
});
