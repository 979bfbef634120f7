import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Platform } from '@plataforma/local';
import { withDatabase } from '@plataforma/testing';
import type pg from 'pg';
import { z } from 'zod';
import { fillQueue, type Line, send } from './connections.ts';
import { type Merchant, paidTo, QUEUE } from './delivery-targets.ts';
import { httpTo } from './http.ts';
import { atPace } from './measure.ts';
import type { Peer } from './peers/peer.ts';
import { timeSpent } from './process-use.ts';
import type { Owner } from './run.ts';

export const DELIVERIES = 20_000;
/** The first deliveries do not count, because Node compiles the code during them. */
export const WARM_UP = 4_000;
const CONNECTIONS = 256;
/** The longest wait for the next delivery. */
const TIMEOUT_MS = 60_000;

export interface DeliverySetup {
  bench: Owner;
  platform: Platform;
  endpoint: Peer;
  line: Line;
}

export interface Speed {
  perSecond: number;
  /** The number of deliveries a second to each endpoint that answers. */
  perEndpoint: number;
  processUs: number;
  databaseUs: number;
}

/**
 * Stops the webhooks service, fills its queue and starts the service again. Returns the rate at which the
 * service empties the queue.
 */
export async function blast(setup: DeliverySetup, merchants: readonly Merchant[]): Promise<Speed> {
  const { platform, line, endpoint } = setup;
  const { webhooks } = platform.services;
  await webhooks.stop();
  const count = DELIVERIES + WARM_UP;
  await fillQueue(line, { queue: QUEUE, count, message: paidTo(merchants) });
  const healthy = merchants.filter(({ isHealthy }) => isHealthy).length;
  const expected = (count * healthy) / merchants.length;
  const skipped = (expected * WARM_UP) / count;
  await report(endpoint);
  await webhooks.start();
  const speed = await withDatabase(platform.databaseUrls.webhooks, (database) =>
    speedOf({ ...setup, database }, skipped, expected),
  );
  return { ...speed, perEndpoint: speed.perSecond / healthy };
}

type Watched = DeliverySetup & { database: pg.Client };

/**
 * The interval at which the benchmark reads the endpoint's report. Shorter intervals would disturb the
 * deliveries. The report is exact anyway, because it contains the time of each arrival.
 */
const ASK_MS = 100;

/** Returns the rate of deliveries to healthy endpoints. The first `skipped` deliveries do not count. */
async function speedOf(
  setup: Watched,
  skipped: number,
  expected: number,
): Promise<Omit<Speed, 'perEndpoint'>> {
  let arrived = 0;
  let last = Date.now();
  let first = { count: 0, at: 0, spent: { processUs: 0, databaseUs: 0 } };
  while (arrived < expected) {
    await sleep(ASK_MS);
    const { latencies, lastAt } = await report(setup.endpoint);
    arrived += latencies.length;
    if (latencies.length > 0) last = lastAt;
    if (Date.now() - last > TIMEOUT_MS) throw new Error(`${arrived} of ${expected} deliveries have arrived`);
    if (first.count === 0 && arrived >= skipped)
      first = { count: arrived, at: lastAt, spent: await spentBy(setup) };
  }
  const spent = await spentBy(setup);
  const counted = arrived - first.count;
  return {
    perSecond: (counted * 1000) / (last - first.at),
    processUs: (spent.processUs - first.spent.processUs) / counted,
    databaseUs: (spent.databaseUs - first.spent.databaseUs) / counted,
  };
}

const spentBy = ({ platform, database }: Watched) => timeSpent(platform.services.webhooks.pid, database);

interface Pace {
  perSecond: number;
  seconds: number;
}

/** Sends events at a rate that the service can sustain. Returns the time from each event to its delivery. */
export async function steady(
  { line, endpoint }: DeliverySetup,
  merchants: readonly Merchant[],
  { perSecond, seconds }: Pace,
): Promise<number[]> {
  await report(endpoint);
  const message = paidTo(merchants);
  await atPace({ perSecond, count: perSecond * seconds }, async (n) => send(line, QUEUE, [message(n)]));
  await line.channel.waitForConfirms();
  await sleep(2_000);
  return (await report(endpoint)).latencies;
}

const reported = z.object({ latencies: z.array(z.number()), lastAt: z.number() });

async function report({ url }: Peer): Promise<z.infer<typeof reported>> {
  return reported.parse(await (await fetch(`${url}/report`)).json());
}

/**
 * Returns the rate of a loop that signs and sends the same body each time and stores nothing. It has as many
 * connections as the service, and a warm-up that does not count.
 */
export async function bareLoop({ bench, endpoint }: DeliverySetup): Promise<number> {
  const headers = { 'user-agent': 'Plataforma-Webhook/1.0' };
  const http = httpTo(bench, endpoint.url, { headers, connections: CONNECTIONS });
  const body = JSON.stringify({
    event: 'charge.paid',
    data: { id: randomUUID(), txid: randomUUID(), amount: 2_500, feeAmount: 25, netAmount: 2_475 },
    timestamp: new Date().toISOString(),
  });
  const sign = () => createHmac('sha256', 'whsec_of_the_bare_loop').update(body).digest('hex');
  let left = 0;
  const one = async () => {
    while (left > 0) {
      left -= 1;
      const signed = { 'x-webhook-signature': `sha256=${sign()}`, 'x-webhook-id': randomUUID() };
      await http.send({ method: 'POST', path: '/ok/bare', body, headers: signed });
    }
  };
  const post = async (count: number) => {
    left = count;
    await Promise.all(Array.from({ length: CONNECTIONS }, one));
  };
  await post(WARM_UP);
  const startedAt = performance.now();
  await post(DELIVERIES);
  return (DELIVERIES * 1000) / (performance.now() - startedAt);
}
