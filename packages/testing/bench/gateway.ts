import type { Platform } from '@plataforma/local';
import autocannon from 'autocannon';
import { httpTo } from './http.ts';
import { ms, quantile, underLoad } from './measure.ts';
import { startNginx } from './peers/nginx.ts';
import { startPeer } from './peers/peer.ts';

const CONNECTIONS = 64;
/** Each is measured in turn, so that what else the machine does is spread over all of them. */
const ROUNDS = 3;
const SECONDS = 4;

interface Figures {
  perSecond: number;
  p50: number;
}

interface Samples {
  url: string;
  perSecond: number[];
  p50: number[];
}

/**
 * GET /v1/balance through the gateway with all its checks, in front of a service that costs nothing, beside bare reverse
 * proxies in front of the same service, and that service itself. Each is one process.
 */
export async function gateway({ services, facts }: Platform): Promise<string[]> {
  const echo = await startPeer('echo');
  const forwarder = await startPeer('forwarder', echo.url);
  const nginx = await startNginx(echo.url);
  await services.gateway.stop();
  await services.gateway.start({ LEDGER_URL: echo.url });

  const headers = { 'x-api-key': facts.demo.sandboxKey };
  const doors = [echo, forwarder, services.gateway, ...(nginx ? [nginx] : [])];
  const [itself, bare, ours, best] = await inTurn(doors, headers);
  await Promise.all([echo.stop(), forwarder.stop(), nginx?.stop()]);
  await services.gateway.stop();
  await services.gateway.start();

  if (!itself || !bare || !ours) throw new Error('something was not measured');
  const line = (name: string, { perSecond, p50 }: Figures) =>
    `  ${name.padEnd(22)}${perSecond.toFixed(0).padStart(7)}/s   adds ${ms(p50 - itself.p50)} at p50 on one connection`;
  const ofBare = `${(ours.perSecond / bare.perSecond).toFixed(2)} of the bare forwarder (aim: 0.7`;
  return [
    `Gateway in front of a service that costs nothing, ${CONNECTIONS} connections   (aim: adds 1 ms at most)`,
    `  ${'the service itself'.padEnd(22)}${itself.perSecond.toFixed(0).padStart(7)}/s   p50 ${ms(itself.p50)}`,
    ...(best ? [line('nginx', best)] : []),
    line('bare node forwarder', bare),
    line('gateway', ours),
    best
      ? `  ${ofBare}), ${(ours.perSecond / best.perSecond).toFixed(2)} of nginx (aim: 0.3; one of the two)`
      : `  ${ofBare}, or 0.3 of nginx, which is not installed)`,
  ];
}

/** The median of some rounds, for each. */
async function inTurn(
  doors: readonly { url: string }[],
  headers: Record<string, string>,
): Promise<Figures[]> {
  const samples = doors.map(({ url }): Samples => ({ url, perSecond: [], p50: [] }));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { url, perSecond, p50 } of samples) {
      perSecond.push(await most(url, headers));
      p50.push(await alone(url, headers));
    }
  }
  return samples.map(({ perSecond, p50 }) => ({
    perSecond: quantile(perSecond, 0.5),
    p50: quantile(p50, 0.5),
  }));
}

/** Requests a second on many connections; throws when one was not answered 200. */
async function most(origin: string, headers: Record<string, string>): Promise<number> {
  const load = { url: `${origin}/v1/balance`, headers, connections: CONNECTIONS };
  await autocannon({ ...load, duration: 1 });
  const result = await autocannon({ ...load, duration: SECONDS });
  if (result.errors > 0 || result.non2xx > 0) throw new Error(`${result.errors} + ${result.non2xx} failed`);
  return result.requests.average;
}

/** The median of requests one after the other, in milliseconds. */
async function alone(origin: string, headers: Record<string, string>): Promise<number> {
  const http = httpTo(origin, headers, 1);
  const send = async () => {
    const { status } = await http.send({ method: 'GET', path: '/v1/balance' });
    if (status !== 200) throw new Error(`${status}`);
  };
  const { latencies } = await underLoad({ connections: 1, seconds: SECONDS / 2, send });
  await http.close();
  return quantile(latencies, 0.5);
}
