import { beforeAll, expect, test } from '@jest/globals';
import { eventually, openMetricsScraper } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { factKinds } from '../src/domain/books.ts';
import { startLedger } from '../src/service.ts';
import { paid, refundOf, withdrawalOf } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);
const scraper = beforeFile(openMetricsScraper);
beforeAll(async () =>
  world.stopFirst(await startLedger({ ...world.env, METRICS_PORT: String(scraper.port) })),
);

test('unposted facts count 0 by kind and reason at first', async () => {
  const lines = (await scraper.scrape()).text.split('\n');
  const shown = lines.filter((line) => line.startsWith('plataforma_facts_not_posted_total{'));

  expect(shown).toHaveLength(2 * factKinds.length);
  expect(shown.filter((line) => !line.endsWith(' 0'))).toEqual([]);
});

test('every event and debit belongs to one timed batch', async () => {
  const payments = Array.from({ length: 30 }, () => paid(newTenant()));
  await world.deliver(...payments);
  const before = await eventually(async () => {
    const shown = await scraper.scrape();
    expect(shown.valueOf('plataforma_ledger_batch_size_sum')).toBe(30);
    return shown;
  });

  const [charge] = payments;
  const answers = charge ? await Promise.all([1, 2, 3].map(() => world.refund(refundOf(charge)))) : [];

  const after = await scraper.scrape();
  expect(answers.length).toBe(3);
  expect(after.valueOf('plataforma_ledger_batch_size_sum')).toBe(33);
  expect(after.valueOf('plataforma_ledger_post_duration_seconds_count')).toBe(
    after.valueOf('plataforma_ledger_batch_size_count'),
  );
  expect(before.valueOf('plataforma_ledger_batch_size_count')).toBeLessThanOrEqual(30);
  expect(after.valueOf('plataforma_ledger_post_duration_seconds_sum')).toBeGreaterThan(0);
  for (const { merchantId, data } of payments) {
    expect(after.text).not.toContain(merchantId);
    expect(after.text).not.toContain(data.id);
  }
});

test('an event that can’t be posted is a dead letter', async () => {
  const event = paid(newTenant());
  event.data.netAmount += 1;

  await world.emitter.announce(event);

  await eventually(async () => {
    const shown = await scraper.scrape();
    expect(shown.valueOf('plataforma_events_total', { type: 'charge.paid', outcome: 'dead' })).toBe(1);
    expect(shown.valueOf('plataforma_dead_letters')).toBe(1);
  });
});

test('a fact that can’t be posted is counted by reason', async () => {
  const tenant = newTenant();
  const payment = paid(tenant);
  await world.deliver(payment, withdrawalOf(tenant).completed);

  await world.deliver({
    ...payment,
    data: { ...payment.data, amount: 20_000, netAmount: 19_900, feeAmount: 100 },
  });

  await eventually(async () => {
    const shown = await scraper.scrape();
    const name = 'plataforma_facts_not_posted_total';
    expect(shown.valueOf(name, { kind: 'withdrawal_completed', reason: 'groundless' })).toBe(1);
    expect(shown.valueOf(name, { kind: 'charge_paid', reason: 'contradicted' })).toBe(1);
  });
});

test('the ledger exposes exactly these metrics without a books check', async () => {
  expect((await scraper.scrape()).names).toEqual([
    'plataforma_books_differences',
    'plataforma_connections_refused_total',
    'plataforma_database_connections',
    'plataforma_dead_letters',
    'plataforma_event_comparisons_total',
    'plataforma_event_lag_seconds',
    'plataforma_event_signatures_total',
    'plataforma_events_total',
    'plataforma_events_unclaimable_total',
    'plataforma_facts_not_posted_total',
    'plataforma_hints_total',
    'plataforma_http_request_duration_seconds',
    'plataforma_ledger_batch_size',
    'plataforma_ledger_post_duration_seconds',
    'plataforma_orders_unproven_total',
    'plataforma_outbox_oldest_seconds',
    'plataforma_outbox_waiting',
    'plataforma_partitions_ahead',
    'plataforma_partitions_overdue',
    'plataforma_proposals_oldest_seconds',
    'plataforma_queue_consumers',
    'plataforma_queue_messages',
    'plataforma_reads_connections',
    'plataforma_reads_refused_total',
    'plataforma_row_seals_broken_total',
    'plataforma_slots_refused_total',
  ]);
});
