import { execFile } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createSigner } from '@plataforma/chassis';
import { newId } from '@plataforma/kernel';
import type { Platform } from '@plataforma/local';
import amqp from 'amqplib';
import pg from 'pg';
import { z } from 'zod';
import { dataOf, httpTo } from './http.ts';
import { ms, quantile } from './measure.ts';
import { type PeerProcess, startPeer } from './peers/peer.ts';

const DELIVERIES = 20_000;
/** Not counted: they compile the code they run through. */
const WARM_UP = 4_000;
const MERCHANTS = 100;
const CONNECTIONS = 256;
const STEADY = { perSecond: 200, seconds: 20 };
const WAITING = 100_000;
const QUEUE = 'webhooks.events';

/**
 * Signed deliveries a second from the queue to the merchants' servers, everything durable, beside a bare loop of signed
 * POSTs to the same servers; what endpoints that hang do to the others; and what waiting deliveries cost in memory.
 */
export async function deliveries(platform: Platform): Promise<string[]> {
  const endpoint = await startPeer('endpoint');
  const broker = await amqp.connect(platform.facts.rabbitmq.url);
  const channel = await broker.createConfirmChannel();
  const database = new pg.Client({ connectionString: platform.databaseUrls.webhooks });
  await database.connect();
  const parts: Parts = { platform, endpoint, channel, database };

  const idle = await memoryOf(platform);
  const limit = await bareLoop(endpoint);
  const healthy = await merchantsAt(parts, () => 'ok');
  const ours = await blast(parts, healthy);
  const calm = await steady(parts, healthy);
  const some = await merchantsAt(parts, (n) => (n % 10 === 0 ? 'hang' : 'ok'));
  const beside = await blast(parts, some);
  const stormy = await steady(parts, some);
  // On tables as full as they were then: the first run has empty ones.
  const again = await blast(parts, healthy);
  const waiting = await waitMany(parts);

  await Promise.all([database.end(), broker.close(), endpoint.stop()]);
  return [
    `Signed deliveries, ${DELIVERIES} to ${MERCHANTS} merchants   (aim: 0.5 of the bare loop, both after ${WARM_UP} more)`,
    `  from the queue, durable   ${rate(ours.perSecond)}   ${(ours.perSecond / limit).toFixed(2)} of the bare loop`,
    `  bare loop of signed POSTs ${rate(limit)}`,
    `  processor time of each    ${(ours.processUs).toFixed(0)} µs of the service, ${(ours.databaseUs).toFixed(0)} µs of its database connections`,
    `  to each healthy endpoint, none hang  ${each(again)}`,
    `  to each healthy endpoint, 10 % hang  ${each(beside)}   ${(beside.perEndpoint / again.perEndpoint).toFixed(2)} of that without (aim: 0.9)`,
    `Event → healthy endpoint, ${STEADY.perSecond} events a second for ${STEADY.seconds} s   (aim: within 2 ×)`,
    `  none hang   p50 ${ms(quantile(calm, 0.5))}   p99 ${ms(quantile(calm, 0.99))}`,
    `  10 % hang   p50 ${ms(quantile(stormy, 0.5))}   p99 ${ms(quantile(stormy, 0.99))}`,
    `Memory of the webhooks service: ${idle} MB before the first delivery; while ${WAITING / 2} wait: ${waiting.half} MB; ${WAITING}: ${waiting.all} MB`,
  ];
}

interface Parts {
  platform: Platform;
  endpoint: PeerProcess;
  channel: amqp.ConfirmChannel;
  database: pg.Client;
}

interface Merchant {
  id: string;
  isHealthy: boolean;
}

const rate = (perSecond: number) => `${perSecond.toFixed(0)}/s`.padStart(7);
const each = ({ perEndpoint }: Speed) => `${perEndpoint.toFixed(1)}/s`;

/** Merchants with a webhook each, made as the gateway asks for it. */
async function merchantsAt(
  { platform, endpoint }: Parts,
  pathOf: (n: number) => string,
): Promise<Merchant[]> {
  const signer = createSigner('gateway', platform.keys.gateway.privateKey);
  const http = httpTo(platform.services.webhooks.url, {}, 8);
  const merchants = Array.from({ length: MERCHANTS }, (_, n) => ({ id: randomUUID(), path: pathOf(n) }));
  for (const { id, path } of merchants) {
    const who = {
      kind: 'merchant',
      merchantId: id,
      environment: 'sandbox',
      scopes: ['charges:write'],
    } as const;
    const headers = { 'x-internal-identity': signer.sign({ ...who, scopes: [...who.scopes] }, 'webhooks') };
    const body = JSON.stringify({ url: `${endpoint.url}/${path}/${id}` });
    await dataOf(http.send({ method: 'POST', path: '/v1/webhook-config', headers, body }), 201);
  }
  await http.close();
  return merchants.map(({ id, path }) => ({ id, isHealthy: path === 'ok' }));
}

function publish(channel: amqp.ConfirmChannel, merchant: Merchant | undefined): void {
  const charge = newId();
  const at = new Date().toISOString();
  const event = {
    ...{ id: newId(), type: 'charge.paid', version: 1, occurredAt: at, merchantId: merchant?.id },
    ...{ environment: 'sandbox', aggregateId: charge, sequence: 1, traceparent: null },
    data: {
      ...{ id: charge, txid: charge.replaceAll('-', ''), externalId: `pedido-${charge}`, settlesAt: null },
      ...{ amount: 2_500, feeAmount: 25, netAmount: 2_475, paymentMethod: 'PIX', status: 'PAID', paidAt: at },
    },
  };
  channel.sendToQueue(QUEUE, Buffer.from(JSON.stringify(event)), { persistent: true });
}

interface Speed {
  perSecond: number;
  /** Of those that answer. */
  perEndpoint: number;
  /** Processor time of one delivery. */
  processUs: number;
  databaseUs: number;
}

/** Fills the queue while nobody reads it, then lets the service run. */
async function blast(parts: Parts, merchants: readonly Merchant[]): Promise<Speed> {
  const { platform, channel, endpoint } = parts;
  const { webhooks } = platform.services;
  await webhooks.stop();
  const count = DELIVERIES + WARM_UP;
  for (let n = 0; n < count; n += 1) {
    publish(channel, merchants[n % merchants.length]);
    if (n % 1_000 === 999) await channel.waitForConfirms();
  }
  await channel.waitForConfirms();
  const healthy = merchants.filter(({ isHealthy }) => isHealthy).length;
  const wanted = (count * healthy) / merchants.length;
  const skipped = (wanted * WARM_UP) / count;
  await report(endpoint);
  await webhooks.start();
  const speed = await speedOf(parts, skipped, wanted);
  return { ...speed, perEndpoint: speed.perSecond / healthy };
}

/** To ask costs both sides time that the deliveries then lack; so seldom, as the endpoint says when each came. */
const ASK_MS = 100;

/** Between the first that counts and the last of all, to healthy endpoints. */
async function speedOf(parts: Parts, skipped: number, wanted: number): Promise<Omit<Speed, 'perEndpoint'>> {
  let arrived = 0;
  let last = 0;
  let first = { count: 0, at: 0, spent: { processUs: 0, databaseUs: 0 } };
  while (arrived < wanted) {
    await sleep(ASK_MS);
    const { latencies, lastAt } = await report(parts.endpoint);
    arrived += latencies.length;
    last = lastAt;
    if (first.count === 0 && arrived >= skipped)
      first = { count: arrived, at: lastAt, spent: await timeSpent(parts) };
  }
  const spent = await timeSpent(parts);
  const counted = arrived - first.count;
  return {
    perSecond: (counted * 1000) / (last - first.at),
    processUs: (spent.processUs - first.spent.processUs) / counted,
    databaseUs: (spent.databaseUs - first.spent.databaseUs) / counted,
  };
}

const BACKENDS =
  'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';

async function timeSpent({ platform, database }: Parts): Promise<{ processUs: number; databaseUs: number }> {
  const { rows } = await database.query<{ pid: number }>(BACKENDS);
  const spent = await Promise.all(rows.map(({ pid }) => processorUs(pid)));
  const databaseUs = spent.reduce((sum, each) => sum + each, 0);
  return { processUs: await processorUs(platform.services.webhooks.pid), databaseUs };
}

const TICK_US = 10_000;
/** User and system time, as Linux keeps them: the 14th and the 15th word, counted without the name in parentheses. */
async function processorUs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const words = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(words[11] ?? 0) + Number(words[12] ?? 0)) * TICK_US;
}

/** From the event's time to its arrival, at a pace the service can keep. */
async function steady({ channel, endpoint }: Parts, merchants: readonly Merchant[]): Promise<number[]> {
  await report(endpoint);
  const startedAt = performance.now();
  const count = STEADY.perSecond * STEADY.seconds;
  for (let n = 0; n < count; n += 1) {
    const due = startedAt + (n * 1000) / STEADY.perSecond - performance.now();
    if (due > 0) await sleep(due);
    publish(channel, merchants[n % merchants.length]);
  }
  await channel.waitForConfirms();
  await sleep(2_000);
  return (await report(endpoint)).latencies;
}

const reported = z.object({ latencies: z.array(z.number()), lastAt: z.number() });

async function report({ url }: PeerProcess): Promise<z.infer<typeof reported>> {
  return reported.parse(await (await fetch(`${url}/report`)).json());
}

/** As fast as it goes when nothing is stored: the same body, signed each time, on as many connections; warmed up, too. */
async function bareLoop({ url }: PeerProcess): Promise<number> {
  const http = httpTo(url, { 'user-agent': 'Plataforma-Webhook/1.0' }, CONNECTIONS);
  const body = JSON.stringify({
    event: 'charge.paid',
    data: { id: randomUUID(), txid: randomUUID(), amount: 2_500, feeAmount: 25, netAmount: 2_475 },
    timestamp: new Date().toISOString(),
  });
  let left = 0;
  const one = async () => {
    while (left > 0) {
      left -= 1;
      const signature = createHmac('sha256', 'whsec_of_the_bare_loop').update(body).digest('hex');
      const headers = { 'x-webhook-signature': `sha256=${signature}`, 'x-webhook-id': randomUUID() };
      await http.send({ method: 'POST', path: '/ok/bare', body, headers });
    }
  };
  const post = async (count: number) => {
    left = count;
    await Promise.all(Array.from({ length: CONNECTIONS }, one));
  };
  await post(WARM_UP);
  const startedAt = performance.now();
  await post(DELIVERIES);
  const perSecond = (DELIVERIES * 1000) / (performance.now() - startedAt);
  await http.close();
  return perSecond;
}

/** Lets deliveries to endpoints that hang pile up, and says what the service weighs with half of them and with all. */
async function waitMany(parts: Parts): Promise<{ half: number; all: number }> {
  const hanging = await merchantsAt(parts, () => 'hang');
  await storeMore(parts, hanging, WAITING / 2);
  const half = await memoryOf(parts.platform);
  await storeMore(parts, hanging, WAITING / 2);
  return { half, all: await memoryOf(parts.platform) };
}

const COUNT = 'SELECT count(*)::integer AS count FROM deliveries WHERE merchant_id = ANY ($1::uuid[])';

async function storeMore(
  { channel, database }: Parts,
  merchants: readonly Merchant[],
  more: number,
): Promise<void> {
  const stored = async () =>
    (await database.query<{ count: number }>(COUNT, [merchants.map(({ id }) => id)])).rows[0]?.count ?? 0;
  const wanted = (await stored()) + more;
  for (let n = 0; n < more; n += 1) {
    publish(channel, merchants[n % merchants.length]);
    if (n % 1_000 === 999) await channel.waitForConfirms();
  }
  while ((await stored()) < wanted) await sleep(500);
}

async function memoryOf({ services }: Platform): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(services.webhooks.pid)]);
  return Math.round(Number(stdout) / 1024);
}
