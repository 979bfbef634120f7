import { expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { blocking, eventually, openMetricsScraper } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { pendingTed } from '../operators/support/states.ts';
import { startWorld } from '../support/world.ts';
import { follow } from './support/payouts.ts';

const scraper = beforeFile(openMetricsScraper);
const world = worldOfFile(() => startWorld({ settings: { METRICS_PORT: String(scraper.port) } }));

const UNKNOWN = 'plataforma_unknown_outcomes';
const CALLS = 'plataforma_provider_call_duration_seconds_count';
const payout = { kind: 'payout', environment: 'sandbox' };

test('a payout without an answer counts as unknown until paid', async () => {
  const blocked = blocking();
  world.bank.next('order', blocked.behaviour);

  const withdrawal = await follow(world);
  await eventually(async () => {
    const shown = await scraper.scrape();
    expect(shown.valueOf(UNKNOWN, payout)).toBe(1);
    expect(shown.valueOf('plataforma_unknown_oldest_seconds', payout)).toBeGreaterThan(0);
  });
  blocked.release();
  await withdrawal.becomes('COMPLETED');

  const ended = await scraper.scrape();
  expect(ended.valueOf(UNKNOWN, payout)).toBe(0);
  expect(ended.valueOf('plataforma_unknown_oldest_seconds', payout)).toBe(0);
  expect(ended.valueOf(CALLS, { provider: 'payout', operation: 'order', outcome: 'done' })).toBe(1);
  for (const secret of [withdrawal.id, withdrawal.tenant.merchantId])
    expect(ended.text).not.toContain(secret);
});

test('a TED under way does not count as unknown', async () => {
  const withdrawal = await pendingTed(world);
  await world.client.approve(withdrawal.id, newId());
  await withdrawal.becomes('PROCESSING');

  expect((await scraper.scrape()).valueOf(UNKNOWN, payout)).toBe(0);
});

test('an order that the bank won’t take counts as refused', async () => {
  world.bank.next('order', () => ({ status: 422, body: { nome: 'chave_invalida', mensagem: 'não' } }));

  const withdrawal = await follow(world);
  await withdrawal.becomes('FAILED');

  const shown = await scraper.scrape();
  expect(shown.valueOf(CALLS, { provider: 'payout', operation: 'order', outcome: 'refused' })).toBe(1);
});

test('withdrawals exposes exactly these metrics', async () => {
  expect((await scraper.scrape()).names).toEqual([
    'plataforma_alarms_open',
    'plataforma_books_accepted_alone',
    'plataforma_connections_refused_total',
    'plataforma_counters_unfolded',
    'plataforma_database_connections',
    'plataforma_dead_letters',
    'plataforma_event_comparisons_total',
    'plataforma_event_lag_seconds',
    'plataforma_event_signatures_total',
    'plataforma_events_total',
    'plataforma_events_unclaimable_total',
    'plataforma_hints_total',
    'plataforma_http_request_duration_seconds',
    'plataforma_orders_unproven_total',
    'plataforma_outbox_oldest_seconds',
    'plataforma_outbox_waiting',
    'plataforma_partitions_ahead',
    'plataforma_partitions_overdue',
    'plataforma_payouts_unproven',
    'plataforma_proposals_oldest_seconds',
    'plataforma_provider_call_duration_seconds',
    'plataforma_queue_consumers',
    'plataforma_queue_messages',
    'plataforma_reads_connections',
    'plataforma_reads_refused_total',
    'plataforma_row_seals_broken_total',
    'plataforma_slots_refused_total',
    'plataforma_stops_active',
    'plataforma_stops_started_alone',
    'plataforma_stops_waiting',
    'plataforma_unknown_oldest_seconds',
    'plataforma_unknown_outcomes',
  ]);
});
