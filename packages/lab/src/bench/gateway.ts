import type { Platform } from '@plataforma/local';
import autocannon from 'autocannon';
import { atLeast, atMost, type Figures, milliseconds, perSecond, times } from './figures.ts';
import { httpTo } from './http.ts';
import { quantile, underLoad } from './measure.ts';
import { type Peer, startPeer } from './peers/peer.ts';
import type { Owner, Workbench } from './run.ts';

const CONNECTIONS = 64;
/**
 * Each server is measured several times in rotation, so that other load on the machine affects all of them
 * equally.
 */
const ROUNDS = 3;
const SECONDS = 4;

interface Measurement {
  perSecond: number;
  p50: number;
}

type Headers = Record<string, string>;

interface Samples {
  url: string;
  perSecond: number[];
  p50: number[];
}

/**
 * Measures `GET /v1/balance` through the gateway, with a service behind it that answers instantly. It
 * compares the gateway with a plain reverse proxy and with direct calls to that service. Each of the three
 * runs as one process.
 */
export async function gateway(bench: Workbench<Platform>): Promise<Figures> {
  const { services, facts } = await bench.platform();
  const echo = await startPeer(bench, 'echo');
  const forwarder = await startPeer(bench, 'forwarder', echo.url);
  await services.gateway.stop();
  await services.gateway.start({ LEDGER_URL: echo.url });

  const headers = { 'x-api-key': facts.demo.sandboxKey };
  const peers = [echo, forwarder, services.gateway];
  const [itself, bare, ours] = await inTurn(bench, peers, headers);
  if (!itself || !bare || !ours) throw new Error('a server was not measured');
  const row = (what: string, { perSecond: rate, p50 }: Measurement) => ({
    what,
    value: perSecond(rate),
    p50,
  });
  const share = times(ours.perSecond / bare.perSecond);
  const added = milliseconds(ours.p50 - itself.p50);
  return {
    about:
      'The gateway with all its checks in front of a service that does no work. Each is one process, with ' +
      `${CONNECTIONS} connections; the figures are medians of ${ROUNDS} rounds. p50 is of one connection.`,
    rows: [
      row('gateway', ours),
      row('bare forwarder in Node', bare),
      row('the service itself', itself),
      { what: 'added by the gateway on one connection, p50', value: added, aim: atMost(added, 1) },
      { what: 'gateway to forwarder', value: share, aim: atLeast(share, 0.7) },
    ],
  };
}

async function inTurn(owner: Owner, peers: readonly Peer[], headers: Headers): Promise<Measurement[]> {
  const samples = peers.map(({ url }): Samples => ({ url, perSecond: [], p50: [] }));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { url, perSecond, p50 } of samples) {
      perSecond.push(await most(url, headers));
      p50.push(await alone(owner, url, headers));
    }
  }
  return samples.map(({ perSecond, p50 }) => ({
    perSecond: quantile(perSecond, 0.5),
    p50: quantile(p50, 0.5),
  }));
}

/** Returns the requests per second over many connections. Throws if any answer is not a 200. */
async function most(origin: string, headers: Headers): Promise<number> {
  const load = { url: `${origin}/v1/balance`, headers, connections: CONNECTIONS };
  await autocannon({ ...load, duration: 1 });
  const result = await autocannon({ ...load, duration: SECONDS });
  if (result.errors > 0 || result.non2xx > 0) throw new Error(`${result.errors} + ${result.non2xx} failed`);
  return result.requests.average;
}

/** Returns the median duration of requests that are sent one after the other, in milliseconds. */
async function alone(owner: Owner, origin: string, headers: Headers): Promise<number> {
  const http = httpTo(owner, origin, { headers, connections: 1 });
  const send = async () => {
    const { status } = await http.send({ method: 'GET', path: '/v1/balance' });
    if (status !== 200) throw new Error(`${status}`);
  };
  const { latencies } = await underLoad({ connections: 1, seconds: SECONDS / 2, send });
  return quantile(latencies, 0.5);
}
