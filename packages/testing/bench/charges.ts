import type { Platform } from '@plataforma/local';
import { httpTo, orderBody } from './http.ts';
import { spread, underLoad } from './measure.ts';

const CONNECTIONS = 16;
const SECONDS = 8;

/** POST /v1/charges through the gateway, beside what the provider behind it does when it is asked directly. */
export async function charges(platform: Platform): Promise<string[]> {
  const { baseUrl, demo, sandboxPspUrl } = platform.facts;
  const gateway = httpTo(baseUrl, { 'x-api-key': demo.sandboxKey }, CONNECTIONS);
  const ours = await underLoad({
    connections: CONNECTIONS,
    seconds: SECONDS,
    send: async () => {
      const { status, text } = await gateway.send({ method: 'POST', path: '/v1/charges', body: orderBody() });
      if (status !== 201) throw new Error(`${status}: ${text}`);
    },
  });
  await gateway.close();

  const { token, pixKey } = await platform.providerAccount();
  const provider = httpTo(sandboxPspUrl, { authorization: `Bearer ${token}` }, CONNECTIONS);
  const limit = await underLoad({
    connections: CONNECTIONS,
    seconds: SECONDS / 2,
    send: async () => {
      const path = `/v2/cob/${crypto.randomUUID().replaceAll('-', '')}`;
      const cob = { calendario: { expiracao: 3600 }, valor: { original: '25.00' }, chave: pixKey };
      const { status, text } = await provider.send({ method: 'PUT', path, body: JSON.stringify(cob) });
      if (status !== 201) throw new Error(`${status}: ${text}`);
    },
  });
  await provider.close();

  return [
    `POST /v1/charges, ${CONNECTIONS} connections, ${SECONDS} s   (aim: over 300/s)`,
    `  ours    ${ours.perSecond.toFixed(0)}/s   ${spread(ours.latencies)}`,
    `  limit   ${limit.perSecond.toFixed(0)}/s   ${spread(limit.latencies)}   (PUT /v2/cob at the provider alone)`,
  ];
}
