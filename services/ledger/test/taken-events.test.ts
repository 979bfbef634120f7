import { createServer } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { listen } from '@plataforma/http';
import { firstIdOf } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { newTenant, worldOfFile } from '@plataforma/testing/world';
import { type Compared, startCompared } from './support/compared.ts';
import { paid } from './support/emitter.ts';

type Producer = Awaited<ReturnType<Compared['startProducer']>>;

const world = worldOfFile(startCompared);
const SOON = { timeoutMs: 60_000 };

const running: { stop(): Promise<unknown> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()));
  await world.producer.query('DELETE FROM missing_events');
});

async function start(settings?: Record<string, string>): Promise<Producer> {
  const producer = await world.startProducer(settings);
  running.push(producer);
  return producer;
}

const missing = () =>
  world.producer.query<{ published_again: number; received_at: Date | null }>(
    'SELECT published_again, received_at FROM missing_events ORDER BY event_id',
  );
const publishedAgain = async () => (await missing()).filter((row) => row.published_again > 0);

const outcomes = async (producer: Producer, outcome: string) =>
  (await producer.scrape()).valueOf('plataforma_event_comparisons_total', { outcome }) ?? 0;

const missingByMetrics = async (producer: Producer) =>
  (await producer.scrape()).valueOf('plataforma_events_missing', { subscriber: 'ledger' });

/** Waits until all events that the producer has published so far have been compared. */
async function comparedAll(): Promise<void> {
  const [last] = await world.producer.query<{ id: string }>(
    'SELECT event_id AS id FROM outbox ORDER BY event_id DESC LIMIT 1',
  );
  await eventually(async () => {
    const [row] = await world.producer.query<{ position: string }>(
      'SELECT position FROM compared_subscribers',
    );
    expect((row?.position ?? '') > (last?.id ?? '')).toBe(true);
  }, SOON);
}

const published = () =>
  eventually(async () =>
    expect(await world.producer.query('SELECT FROM outbox WHERE published_at IS NULL')).toEqual([]),
  );

/** Publishes payments of 2,500 cents while the ledger is stopped, and takes the first ones off its queue. */
async function takeFrom(producer: Producer, { count, taken }: { count: number; taken: number }) {
  const tenant = newTenant();
  await world.withoutLedger(async () => {
    await producer.announce(Array.from({ length: count }, () => paid(tenant)));
    await published();
    await world.take(taken);
  });
  return tenant;
}

const earns = (tenant: ReturnType<typeof newTenant>, amount: number) =>
  eventually(async () => expect(await world.earned(tenant)).toBe(amount), SOON);

test('payments taken off the queue are credited, and the alarm counts them', async () => {
  const producer = await start();

  const tenant = await takeFrom(producer, { count: 10, taken: 5 });

  await earns(tenant, 25_000);
  expect(await publishedAgain()).toHaveLength(5);
  await eventually(async () => expect(await missingByMetrics(producer)).toBe(5));
  await comparedAll();
  expect(await world.earned(tenant)).toBe(25_000);
});

test('more events than one question names are credited', async () => {
  const producer = await start();

  const tenant = await takeFrom(producer, { count: 1_100, taken: 1_050 });

  await earns(tenant, 1_100 * 2_500);
}, 240_000);

test('a payment replaced by a copy of another is credited', async () => {
  const producer = await start();
  const tenant = newTenant();

  await world.withoutLedger(async () => {
    await producer.announce([paid(tenant), paid(tenant), paid(tenant)]);
    await published();
    const [first, , last] = await world.take(3);
    if (first && last) await world.publish([first, last, last]);
  });

  await earns(tenant, 7_500);
  expect(await publishedAgain()).toHaveLength(1);
});

test('a forged dead letter does not stand for the taken event', async () => {
  const producer = await start();
  const tenant = newTenant();

  await world.withoutLedger(async () => {
    await producer.announce([paid(tenant)]);
    await published();
    const [message] = await world.take(1);
    if (message) await world.publish([{ ...message, properties: { ...message.properties, headers: {} } }]);
  });

  await earns(tenant, 2_500);
  await world.ledger.query('DELETE FROM dead_letters');
});

test('a ledger that is away raises no alarm and is compared later', async () => {
  const producer = await start();
  const tenant = newTenant();

  await world.withoutLedger(async () => {
    await producer.announce([paid(tenant), paid(tenant)]);
    await eventually(async () => expect(await outcomes(producer, 'unanswered')).toBeGreaterThan(1), SOON);
  });

  await earns(tenant, 5_000);
  await comparedAll();
  expect(await publishedAgain()).toEqual([]);
});

test('an event in the dead letters counts as received', async () => {
  const producer = await start();
  const tenant = newTenant();

  await producer.announce([paid(tenant, { feeAmount: 2_600, netAmount: 0 }), paid(tenant)]);

  await earns(tenant, 2_500);
  await comparedAll();
  expect(await publishedAgain()).toEqual([]);
  expect(await world.ledger.query('DELETE FROM dead_letters RETURNING id')).toHaveLength(1);
});

test('of two replicas of a producer one publishes the taken events again', async () => {
  const [producer] = await Promise.all([start(), start()]);

  const tenant = await takeFrom(producer, { count: 4, taken: 3 });

  await earns(tenant, 10_000);
  expect((await publishedAgain()).map((row) => row.published_again)).toEqual([1, 1, 1]);
});

test('a restarted producer publishes what it had found missing', async () => {
  const stopped = await start();
  const tenant = await takeFrom(stopped, { count: 2, taken: 2 });
  await eventually(async () => expect(await missing()).not.toEqual([]), SOON);
  await stopped.stop();

  await start();

  await earns(tenant, 5_000);
});

test('events that a restored ledger lacks are published again', async () => {
  const before = await start();
  await before.announce([paid(newTenant())]);
  await comparedAll();
  await before.stop();
  const silent = await start({ EVENT_COMPARISON_SECONDS: '0' });
  const tenant = await takeFrom(silent, { count: 3, taken: 3 });
  await silent.stop();
  // Simulate a restored ledger: the producer has already compared events that the ledger lacks.
  const now = firstIdOf(new Date());
  await world.producer.query('UPDATE compared_subscribers SET position = $1', [now]);

  const producer = await start();

  await earns(tenant, 7_500);
  expect(await outcomes(producer, 'restored')).toBeGreaterThan(0);
});

test('a ledger of the previous release is skipped and counted', async () => {
  const server = createServer((_req, res) => res.writeHead(404).end('{"success":false}'));
  const { port } = await listen(server, '127.0.0.1', 0);
  running.push({ stop: () => new Promise((resolve) => server.close(resolve)) });
  const tenant = newTenant();

  const producer = await start({ LEDGER_URL: `http://127.0.0.1:${port}` });
  await producer.announce([paid(tenant)]);

  await earns(tenant, 2_500);
  await eventually(async () => expect(await outcomes(producer, 'unsupported')).toBeGreaterThan(1), SOON);
  expect(await missing()).toEqual([]);
});
