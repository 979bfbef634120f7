import { findInfrastructure, type Infrastructure } from './infrastructure.ts';
import { type Platform, type PlatformFacts, startPlatform } from './platform/platform.ts';

const dataDir = process.env.DATA_DIR ?? '.local';
const port = Number(process.env.PORT ?? 8080);

let infrastructure: Infrastructure | undefined;
let platform: Platform | undefined;
let stopping: Promise<void> | undefined;

/** Services first, then what they stand on. A second Ctrl-C changes nothing: everything ends within seconds. */
function stop(code: number): Promise<void> {
  stopping ??= (async () => {
    console.log('\nStopping …');
    await platform?.stop();
    await infrastructure?.stop();
    process.exit(code);
  })();
  return stopping;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));

// The servers are not waited for, so something must keep this process here until it is told to stop.
setInterval(() => undefined, 2 ** 30);

try {
  const startedAt = performance.now();
  infrastructure = await findInfrastructure({ dataDir, allowExternal: true, say: console.log });
  if (!stopping) platform = await startPlatform({ dataDir, port, ...infrastructure, say: console.log });
  if (platform) console.log(summary(platform.facts, performance.now() - startedAt));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  await stop(1);
}

function summary({ baseUrl, operator, demo }: PlatformFacts, ms: number): string {
  const order = {
    amount: 2500,
    externalId: 'order-1',
    payerName: 'Maria da Silva',
    payerDocument: '12345678909',
  };
  return `
Plataforma is ready (${(ms / 1000).toFixed(1)} s). Ctrl-C stops everything; the data stays in ${dataDir}/.

  gateway      ${baseUrl}    (API reference: ${baseUrl}/docs)
  operator     ${operator.email}   ${operator.password}
  demo shop    ${demo.email}   ${demo.password}
  sandbox key  ${demo.sandboxKey}
  live key     ${demo.liveKey}
               Nothing here is real: on your machine the live provider is the sandbox provider too,
               and webhooks may go to http and private addresses.

A first charge; then POST /v1/charges/{its id}/simulate-payment pays it, and GET /v1/balance shows it:

curl -s ${baseUrl}/v1/charges -H 'X-API-Key: ${demo.sandboxKey}' -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(order)}'
`;
}
