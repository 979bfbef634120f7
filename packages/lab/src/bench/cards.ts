import type { Platform } from '@plataforma/local';
import { type Figures, perSecond } from './figures.ts';
import { httpTo, orderBody } from './http.ts';
import { startInstantAcquirer } from './instant-acquirer.ts';
import { spread, type Throughput, underLoad } from './measure.ts';
import type { Workbench } from './run.ts';

const CONNECTIONS = 16;
const SECONDS = 8;

/**
 * Measures `POST /v1/charges` by card through the gateway, with an acquirer that answers instantly. It
 * compares the rate with direct calls to this acquirer.
 */
export async function cards(bench: Workbench<Platform>): Promise<Figures> {
  const platform = await bench.platform();
  const { baseUrl, demo } = platform.facts;
  const acquirer = await startInstantAcquirer();
  bench.defer(acquirer.stop);
  await platform.services.charges.stop();
  await platform.services.charges.start({ CARD_PRODUCTION_URL: acquirer.url });
  const card = { paymentMethod: 'CARD', cardToken: 'token_bench' };
  const atOnce = async (connections: number) => {
    const gateway = httpTo(bench, baseUrl, { headers: { 'x-api-key': demo.liveKey }, connections });
    const send = async () => {
      const body = orderBody(card);
      const { status, text } = await gateway.send({ method: 'POST', path: '/v1/charges', body });
      if (status !== 201) throw new Error(`${status}: ${text}`);
    };
    return underLoad({ connections, seconds: SECONDS, send });
  };
  const one = await atOnce(1);
  const many = await atOnce(CONNECTIONS);

  const direct = httpTo(bench, new URL(acquirer.url).origin, { connections: CONNECTIONS });
  const limit = await underLoad({
    connections: CONNECTIONS,
    seconds: SECONDS / 2,
    send: async () => {
      const body = JSON.stringify({ code: crypto.randomUUID(), items: [{ amount: 2_500 }] });
      await direct.send({ method: 'POST', path: '/core/v5/orders', body });
    },
  });
  const row = (what: string, load: Throughput) => ({
    what,
    value: perSecond(load.perSecond),
    ...spread(load.latencies),
  });
  return {
    about:
      `\`POST /v1/charges\` by card for ${SECONDS} s with an acquirer that answers immediately, compared ` +
      `with direct calls of that acquirer for ${SECONDS / 2} s.`,
    rows: [
      row('1 connection', one),
      row(`${CONNECTIONS} connections`, many),
      row('the acquirer alone', limit),
    ],
  };
}
