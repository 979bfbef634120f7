import { beforeEach, expect, test } from '@jest/globals';
import type { Database, Transaction } from '@plataforma/data';
import type { DomainEvent } from '@plataforma/events';
import { newId } from '@plataforma/kernel';
import { startMetrics } from '@plataforma/service';
import { announce } from '@plataforma/tables';
import {
  claimVhost,
  eventually,
  type MetricsScraper,
  openMetricsScraper,
  type Scraped,
} from '@plataforma/testing';
import { closingAfterEach } from '@plataforma/testing/fixtures';
import { listen, startRelay } from '../src/index.ts';
import {
  eventOf,
  log,
  onChannel,
  openTestDatabase,
  paidCharge,
  publish,
  recordEffects,
  signaturePolicy,
  signer,
  startWire,
} from './fixture.ts';

const atTheEnd = closingAfterEach();
let vhost: string;
let database: Database;
let scraper: MetricsScraper;

beforeEach(async () => {
  vhost = await claimVhost();
  database = await openTestDatabase();
  atTheEnd(() => database.close());
  scraper = await openMetricsScraper();
});

async function serveMetrics(gauges: Parameters<typeof startMetrics>[0]['gauges'] = []) {
  const config = { HOST: '127.0.0.1', METRICS_PORT: scraper.port };
  const metrics = await startMetrics({
    service: 'ledger',
    config,
    log,
    pools: { database, reads: database },
    gauges,
  });
  atTheEnd(() => metrics.stop());
}

function startListener({ brokerUrl = vhost, apply = applyAll } = {}) {
  const listener = listen({ signaturePolicy, subscriber: 'ledger', database, brokerUrl, log, apply });
  atTheEnd(() => listener.stop());
  return listener;
}

const applyAll = (tx: Transaction, events: DomainEvent[]) => recordEffects(tx, events);

/** Waits until the metrics show this value, and returns all metrics. */
function shows(name: string, labels: Record<string, string>, value: number | undefined): Promise<Scraped> {
  return eventually(async () => {
    const shown = await scraper.scrape();
    expect(shown.valueOf(name, labels)).toBe(value);
    return shown;
  });
}

const bodyOf = (id: string, occurredAt: Date) =>
  JSON.stringify({ ...eventOf(), id, occurredAt: occurredAt.toISOString() });

const publishAll = (...bodies: string[]) => publish(vhost, ...bodies.map((body) => ({ body })));

const EVENTS = 'plataforma_events_total';
const type = 'charge.paid';

test('events are counted by outcome, with their delay', async () => {
  const [id, poison] = [newId(), newId()];
  const apply = async (tx: Transaction, events: DomainEvent[]) => {
    if (events.some((event) => event.id === poison)) throw new Error('can’t digest this');
    await recordEffects(tx, events);
  };
  const listener = startListener({ apply });
  await serveMetrics(listener.gauges);
  await eventually(() => expect(listener.isConnected()).toBe(true));
  const twoMinutesAgo = new Date(Date.now() - 120_000);

  await publishAll(bodyOf(id, twoMinutesAgo));
  await shows(EVENTS, { type, outcome: 'applied' }, 1);
  await publishAll(bodyOf(id, twoMinutesAgo), bodyOf(poison, twoMinutesAgo), 'no event');

  await shows(EVENTS, { type, outcome: 'duplicate' }, 1);
  await shows(EVENTS, { type, outcome: 'dead' }, 1);
  await shows(EVENTS, { type: '(unreadable)', outcome: 'dead' }, 1);
  const shown = await shows('plataforma_dead_letters', {}, 2);
  expect(shown.valueOf(EVENTS, { outcome: 'applied' })).toBe(1);
  expect(shown.valueOf('plataforma_event_lag_seconds_count', { type })).toBe(1);
  expect(shown.valueOf('plataforma_event_lag_seconds_bucket', { type, le: '60' })).toBe(0);
  expect(shown.valueOf('plataforma_event_lag_seconds_sum', { type })).toBeGreaterThanOrEqual(120);
  for (const secret of [id, poison]) expect(shown.text).not.toContain(secret);
});

test('an event dated in the future has no delay', async () => {
  const listener = startListener();
  await serveMetrics();
  await eventually(() => expect(listener.isConnected()).toBe(true));
  const before = (await scraper.scrape()).valueOf('plataforma_event_lag_seconds_count', { type }) ?? 0;
  const sum = (await scraper.scrape()).valueOf('plataforma_event_lag_seconds_sum', { type }) ?? 0;

  await publishAll(bodyOf(newId(), new Date(Date.now() + 3_600_000)));

  const shown = await shows('plataforma_event_lag_seconds_count', { type }, before + 1);
  expect(shown.valueOf('plataforma_event_lag_seconds_sum', { type })).toBe(sum);
});

test('queue metrics show messages and consumers while the broker answers', async () => {
  const wire = await startWire(vhost);
  atTheEnd(() => wire.stop());
  const listener = startListener({ brokerUrl: wire.url });
  await serveMetrics(listener.gauges);
  const queue = 'ledger.events';
  await shows('plataforma_queue_consumers', { queue }, 1);
  await shows('plataforma_queue_consumers', { queue: 'ledger.dead' }, 1);
  await shows('plataforma_queue_messages', { queue }, 0);

  wire.setDead(true);
  const without = await shows('plataforma_queue_consumers', {}, undefined);
  await onChannel(vhost, (channel) => channel.checkQueue(queue));
  wire.setDead(false);

  expect(without.valueOf('plataforma_dead_letters')).toBe(0);
  await shows('plataforma_queue_consumers', { queue }, 1);
});

test('waiting messages exclude those that the listener has taken', async () => {
  const atWork = Promise.withResolvers<void>();
  const reader = startListener({ apply: () => atWork.promise });
  atTheEnd(() => atWork.resolve());
  await serveMetrics(reader.gauges);
  await eventually(() => expect(reader.isConnected()).toBe(true));

  await publishAll(...Array.from({ length: 605 }, () => bodyOf(newId(), new Date())));

  await shows('plataforma_queue_messages', { queue: 'ledger.events' }, 5);
});

test('outbox metrics show waiting events and the oldest one’s age', async () => {
  const wire = await startWire(vhost);
  atTheEnd(() => wire.stop());
  wire.setDead(true);
  const relay = startRelay({ signer, database, brokerUrl: wire.url, name: 'charges', log, pollMs: 50 });
  atTheEnd(() => relay.stop());
  await serveMetrics(relay.gauges);
  await shows('plataforma_outbox_waiting', {}, 0);

  await database.transaction((tx) => announce(tx, paidCharge(), paidCharge()));
  await database.queryUnprepared(`UPDATE outbox SET created_at = created_at - interval '5 minutes'`, []);
  const waiting = await shows('plataforma_outbox_waiting', {}, 2);
  wire.setDead(false);
  startListener();

  expect(waiting.valueOf('plataforma_outbox_oldest_seconds')).toBeGreaterThanOrEqual(300);
  const published = await shows('plataforma_outbox_waiting', {}, 0);
  expect(published.valueOf('plataforma_outbox_oldest_seconds')).toBe(0);
});
