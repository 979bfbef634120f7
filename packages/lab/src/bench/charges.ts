import type { Platform } from '@plataforma/local';
import { atLeast, type Figures, perSecond } from './figures.ts';
import { httpTo, orderBody } from './http.ts';
import { spread, underLoad } from './measure.ts';
import type { Workbench } from './run.ts';

const CONNECTIONS = 16;
const SECONDS = 8;

/** Measures `POST /v1/charges` through the gateway, compared with direct calls to the provider. */
export async function charges(bench: Workbench<Platform>): Promise<Figures> {
  const platform = await bench.platform();
  const { baseUrl, demo, sandboxPspUrl } = platform.facts;
  const gateway = httpTo(bench, baseUrl, {
    headers: { 'x-api-key': demo.sandboxKey },
    connections: CONNECTIONS,
  });
  const ours = await underLoad({
    connections: CONNECTIONS,
    seconds: SECONDS,
    send: async () => {
      const { status, text } = await gateway.send({ method: 'POST', path: '/v1/charges', body: orderBody() });
      if (status !== 201) throw new Error(`${status}: ${text}`);
    },
  });

  const { token, pixKey } = await platform.providerAccount();
  const headers = { authorization: `Bearer ${token}` };
  const provider = httpTo(bench, sandboxPspUrl, { headers, connections: CONNECTIONS });
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

  const rate = perSecond(ours.perSecond);
  return {
    about:
      `Pix charges over ${CONNECTIONS} connections for ${SECONDS} s, compared with direct calls of their ` +
      `provider for ${SECONDS / 2} s.`,
    rows: [
      { what: '`POST /v1/charges`', value: rate, ...spread(ours.latencies), aim: atLeast(rate, 300) },
      {
        what: '`PUT /v2/cob` at the provider alone',
        value: perSecond(limit.perSecond),
        ...spread(limit.latencies),
      },
    ],
  };
}
