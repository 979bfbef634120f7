import type { Platform } from '@plataforma/local';
import { openLine } from './connections.ts';
import { bareLoop, blast, DELIVERIES, type Speed, steady, WARM_UP } from './delivery-speed.ts';
import { MERCHANTS, merchantsAt } from './delivery-targets.ts';
import { atLeast, counted, type Figures, microseconds, perSecond, type Row, times } from './figures.ts';
import { spread } from './measure.ts';
import { startPeer } from './peers/peer.ts';
import type { Workbench } from './run.ts';

const STEADY = { perSecond: 200, seconds: 20 };

/**
 * Measures the rate of signed deliveries from the queue to the merchants' servers, with durable storage. It
 * compares this rate with a loop of signed POSTs to the same servers, and with a run in which some servers
 * never answer.
 */
export async function deliveries(bench: Workbench<Platform>): Promise<Figures> {
  const platform = await bench.platform();
  const endpoint = await startPeer(bench, 'endpoint');
  const line = await openLine(bench, platform);
  const setup = { bench, platform, endpoint, line };

  const limit = await bareLoop(setup);
  const healthy = await merchantsAt(setup, () => 'ok');
  const ours = await blast(setup, healthy);
  const calm = await steady(setup, healthy, STEADY);
  const some = await merchantsAt(setup, (n) => (n % 10 === 0 ? 'hang' : 'ok'));
  const beside = await blast(setup, some);
  const stormy = await steady(setup, some, STEADY);
  // The run with hanging servers is compared with this second run of the healthy servers. The first run is
  // not comparable, because the tables were empty then.
  const again = await blast(setup, healthy);

  return {
    about:
      `Signed deliveries of ${counted(DELIVERIES)} events from the queue to ${MERCHANTS} merchants' ` +
      'servers, with durable storage, compared with a bare loop of signed POSTs to the same servers. ' +
      `Each runs after ${counted(WARM_UP)} deliveries that are not measured.`,
    rows: [...speedRows(ours, limit), ...hangingRows(again, beside), ...latencyRows(calm, stormy)],
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
