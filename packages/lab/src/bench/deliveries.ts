import { eventually, type Platform } from '@plataforma/local';
import { withDatabase } from '@plataforma/testing';
import { fillQueue, openLine } from './connections.ts';
import { bareLoop, blast, DELIVERIES, type Parts, type Speed, steady, WARM_UP } from './delivery-speed.ts';
import { MERCHANTS, type Merchant, merchantsAt, paidTo, QUEUE } from './delivery-targets.ts';
import {
  atLeast,
  counted,
  type Figures,
  megabytes,
  microseconds,
  perSecond,
  type Row,
  said,
  times,
} from './figures.ts';
import { inTurn, spread } from './measure.ts';
import { MONTHS } from './options.ts';
import { fillMonths, PAST } from './past-deliveries.ts';
import { startPeer } from './peers/peer.ts';
import { residentMemory } from './process-use.ts';
import type { Workbench } from './run.ts';

const STEADY = { perSecond: 200, seconds: 20 };
const WAITING = 100_000;
const STORED_WITHIN_MS = 600_000;

/**
 * Signed deliveries a second from the queue to the merchants' servers, everything durable, beside a bare loop of signed
 * POSTs to the same servers; what endpoints that hang do to the others; and what waiting deliveries cost in memory.
 */
export async function deliveries(bench: Workbench<Platform>): Promise<Figures> {
  const platform = await bench.platform();
  const endpoint = await startPeer(bench, 'endpoint');
  const line = await openLine(bench, platform);
  const parts = { bench, platform, endpoint, line };

  if (MONTHS > 0) return inMonths(parts);
  const idle = await memoryOf(platform);
  const limit = await bareLoop(parts);
  const healthy = await merchantsAt(parts, () => 'ok');
  const ours = await blast(parts, healthy);
  const calm = await steady(parts, healthy, STEADY);
  const some = await merchantsAt(parts, (n) => (n % 10 === 0 ? 'hang' : 'ok'));
  const beside = await blast(parts, some);
  const stormy = await steady(parts, some, STEADY);
  // On tables as full as they were then: the first run has empty ones.
  const again = await blast(parts, healthy);
  const { half, all } = await waitMany(parts);

  return {
    about: `Signed deliveries of ${counted(DELIVERIES)} events from the queue to ${MERCHANTS} merchants' servers, all of it durable, beside a bare loop of signed POSTs to the same servers; both after ${counted(WARM_UP)} more.`,
    rows: [
      ...speedRows(ours, limit),
      ...hangingRows(again, beside),
      ...latencyRows(calm, stormy),
      { what: 'memory of the service before the first delivery', value: megabytes(idle) },
      { what: `while ${counted(WAITING / 2)} wait`, value: megabytes(half) },
      { what: `while ${counted(WAITING)} wait`, value: megabytes(all) },
    ],
  };
}

/** Each with and without those months. */
const ROUNDS = 4;

/** The speed alone, in turn beside as many rows in one month and in many. */
async function inMonths(parts: Parts & { bench: Workbench<Platform> }): Promise<Figures> {
  const { services, databaseUrls } = parts.platform;
  const merchants = await merchantsAt(parts, () => 'ok');
  const limit = await bareLoop(parts);
  const speeds: Record<'one' | 'many', Speed[]> = { one: [], many: [] };
  for (const which of inTurn<keyof typeof speeds>('one', 'many', ROUNDS)) {
    await services.webhooks.stop();
    await fillMonths(databaseUrls.webhooks, which === 'one' ? 1 : MONTHS);
    const speed = await blast(parts, merchants);
    parts.bench.say(`  in ${which}: ${said(perSecond(speed.perSecond))}`);
    speeds[which].push(speed);
  }
  const [one, many] = [meanOf(speeds.one), meanOf(speeds.many)];
  const ratio = times(many.perSecond / one.perSecond);
  return {
    part: 'deliveries in months',
    about: `The same beside ${counted(PAST)} deliveries that are final, ${ROUNDS} times in turn spread over the partitions of ${MONTHS} months and in the one of this month.`,
    rows: [
      ...speedRows(many, limit),
      { what: 'from the queue, in one month', value: perSecond(one.perSecond) },
      { what: 'of that', value: ratio, aim: atLeast(ratio, 0.97) },
      { what: 'processor time of a delivery, the service, in one month', value: microseconds(one.processUs) },
      { what: 'the same, its database connections', value: microseconds(one.databaseUs) },
    ],
  };
}

function meanOf(speeds: readonly Speed[]): Speed {
  const mean = (key: keyof Speed) => speeds.reduce((sum, speed) => sum + speed[key], 0) / speeds.length;
  return {
    perSecond: mean('perSecond'),
    perEndpoint: mean('perEndpoint'),
    processUs: mean('processUs'),
    databaseUs: mean('databaseUs'),
  };
}

function speedRows(ours: Speed, limit: number): Row[] {
  const share = times(ours.perSecond / limit);
  return [
    { what: 'from the queue', value: perSecond(ours.perSecond) },
    { what: 'bare loop of signed POSTs', value: perSecond(limit) },
    { what: 'deliveries to the bare loop', value: share, aim: atLeast(share, 0.5) },
    { what: 'processor time of a delivery, the service', value: microseconds(ours.processUs) },
    { what: 'the same, its database connections', value: microseconds(ours.databaseUs) },
  ];
}

function hangingRows(without: Speed, beside: Speed): Row[] {
  const share = times(beside.perEndpoint / without.perEndpoint);
  return [
    { what: 'to each healthy endpoint, none hang', value: perSecond(without.perEndpoint) },
    { what: 'the same while one in ten hangs', value: perSecond(beside.perEndpoint) },
    { what: 'the second to the first', value: share, aim: atLeast(share, 0.9) },
  ];
}

const SLOWER = 2;

function latencyRows(calm: readonly number[], stormy: readonly number[]): Row[] {
  const [without, beside] = [spread(calm), spread(stormy)];
  const isMet = beside.p50 <= SLOWER * without.p50 && beside.p99 <= SLOWER * without.p99;
  return [
    { what: `event → healthy endpoint, ${STEADY.perSecond} a second, none hang`, ...without },
    {
      what: 'the same while one in ten hangs',
      ...beside,
      aim: { words: `within ${SLOWER} × of that without`, isMet },
    },
  ];
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

async function storeMore({ line, platform }: Parts, merchants: readonly Merchant[], more: number) {
  await withDatabase(platform.databaseUrls.webhooks, async (database) => {
    const stored = async () =>
      (await database.query<{ count: number }>(COUNT, [merchants.map(({ id }) => id)])).rows[0]?.count ?? 0;
    const wanted = (await stored()) + more;
    await fillQueue(line, { queue: QUEUE, count: more, message: paidTo(merchants) });
    await eventually(
      async () => {
        const count = await stored();
        if (count < wanted) throw new Error(`${count} of ${wanted} deliveries are stored`);
      },
      { timeoutMs: STORED_WITHIN_MS, intervalMs: 500 },
    );
  });
}

async function memoryOf({ services }: Platform): Promise<number> {
  return residentMemory(services.webhooks.pid);
}
