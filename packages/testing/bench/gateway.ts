import autocannon from 'autocannon';
import type { Platform } from '../src/platform/platform.ts';
import { httpTo } from './http.ts';
import { ms, quantile, underLoad } from './measure.ts';
import { startNginx } from './peers/nginx.ts';
import { startPeer } from './peers/peer.ts';

const CONNECTIONS = 64;
const SECONDS = 8;

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
  const through = async (url: string) => ({
    perSecond: await most(url, headers),
    p50: await alone(url, headers),
  });
  const itself = await through(echo.url);
  const bare = await through(forwarder.url);
  const best = nginx && (await through(nginx.url));
  const ours = await through(services.gateway.url);

  await Promise.all([echo.stop(), forwarder.stop(), nginx?.stop()]);
  await services.gateway.stop();
  await services.gateway.start();
  const line = (name: string, { perSecond, p50 }: typeof ours) =>
    `  ${name.padEnd(22)}${perSecond.toFixed(0).padStart(7)}/s   adds ${ms(p50 - itself.p50)} at p50 on one connection`;
  const limit = best ?? bare;
  const aim = best ? 'nginx: aim 0.3' : 'bare forwarder: aim 0.7';
  return [
    `Gateway in front of a service that costs nothing, ${CONNECTIONS} connections, ${SECONDS} s each   (aim: adds 1 ms)`,
    `  ${'the service itself'.padEnd(22)}${itself.perSecond.toFixed(0).padStart(7)}/s   p50 ${ms(itself.p50)}`,
    ...(best ? [line('nginx', best)] : []),
    line('bare node forwarder', bare),
    line('gateway', ours),
    `  ${(ours.perSecond / limit.perSecond).toFixed(2)} of ${aim}` +
      `; ${(ours.perSecond / bare.perSecond).toFixed(2)} of the bare forwarder`,
  ];
}

/** Requests a second on many connections; throws when one was not answered 200. */
async function most(origin: string, headers: Record<string, string>): Promise<number> {
  const load = { url: `${origin}/v1/balance`, headers, connections: CONNECTIONS };
  await autocannon({ ...load, duration: 2 });
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
