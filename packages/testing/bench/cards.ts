import type { Platform } from '@plataforma/local';
import { httpTo, orderBody } from './http.ts';
import { startInstantAcquirer } from './instant-acquirer.ts';
import { spread, underLoad } from './measure.ts';

const CONNECTIONS = 16;
const SECONDS = 8;

/** POST /v1/charges by card through the gateway, with an acquirer that takes no time, beside that acquirer alone. */
export async function cards(platform: Platform): Promise<string[]> {
  const { baseUrl, demo } = platform.facts;
  const acquirer = await startInstantAcquirer();
  await platform.services.charges.stop();
  await platform.services.charges.start({ CARD_PRODUCTION_URL: acquirer.url });
  const card = { paymentMethod: 'CARD', cardToken: 'token_bench' };
  const atOnce = async (connections: number) => {
    const gateway = httpTo(baseUrl, { 'x-api-key': demo.liveKey }, connections);
    const send = async () => {
      const body = orderBody(card);
      const { status, text } = await gateway.send({ method: 'POST', path: '/v1/charges', body });
      if (status !== 201) throw new Error(`${status}: ${text}`);
    };
    const load = await underLoad({ connections, seconds: SECONDS, send });
    await gateway.close();
    return load;
  };
  const one = await atOnce(1);
  const many = await atOnce(CONNECTIONS);

  const direct = httpTo(new URL(acquirer.url).origin, {}, CONNECTIONS);
  const limit = await underLoad({
    connections: CONNECTIONS,
    seconds: SECONDS / 2,
    send: async () => {
      const body = JSON.stringify({ code: crypto.randomUUID(), items: [{ amount: 2_500 }] });
      await direct.send({ method: 'POST', path: '/core/v5/orders', body });
    },
  });
  await direct.close();
  acquirer.stop();

  return [
    `POST /v1/charges by card, an acquirer of 0 ms, ${SECONDS} s each`,
    `  1 connection    ${one.perSecond.toFixed(0)}/s   ${spread(one.latencies)}`,
    `  ${CONNECTIONS} connections  ${many.perSecond.toFixed(0)}/s   ${spread(many.latencies)}`,
    `  limit           ${limit.perSecond.toFixed(0)}/s   ${spread(limit.latencies)}   (that acquirer alone)`,
  ];
}
