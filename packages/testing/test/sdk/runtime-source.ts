/** Plain JavaScript that checks the installed tarball in each runtime, against a running platform. */
export const checkSource = `import { ApiError, ConnectionError, Plataforma, TimeoutError } from '@plataforma/sdk';
import { verifyWebhook, webhookHandler } from '@plataforma/sdk/webhooks';

export async function check({ apiKey, baseUrl, vectors, name }) {
  const found = {};
  const reports = [];
  const plataforma = new Plataforma({ apiKey, baseUrl, onRequest: (report) => reports.push(report) });

  const verdicts = vectors.map(({ body, headers, secrets, scheme, now }) =>
    verifyWebhook(body, new Headers(headers), { secret: secrets, scheme, now: () => now * 1000 }).then(() => true, () => false));
  found.verdicts = await Promise.all(verdicts);
  const [{ headers, body, secrets }] = vectors;
  const amounts = [];
  const handler = webhookHandler({ secret: secrets, scheme: 'v1', on: { 'charge.paid': ({ data }) => amounts.push(data.amount) } });
  const answer = await handler(new Request('https://loja.example', { method: 'POST', headers, body }));
  found.webhook = [answer.status, amounts];

  const order = { amount: 2500, externalId: name, payerName: 'Maria da Silva', payerDocument: '12345678909' };
  const charge = await plataforma.charges.create(order);
  const same = await plataforma.charges.create(order);
  found.created = [charge.status, same.id === charge.id];
  await plataforma.charges.simulatePayment(charge.id);
  const rows = [];
  for await (const row of plataforma.charges.list({ externalId: name })) rows.push(row.status);
  found.listed = [rows, (await plataforma.charges.list({ externalId: name }).page()).meta.total];
  found.csv = (await plataforma.charges.listCsv({ externalId: name }).text()).split('\\r\\n')[1].includes(name);
  found.statement = (await plataforma.wallet.statementCsv().text()).split(',')[0];
  found.ofx = new TextDecoder('windows-1252').decode(await plataforma.wallet.statementOfx().bytes()).slice(0, 13);

  const dispute = await plataforma.sandbox.charges.dispute(charge.id, {});
  const bytes = new TextEncoder().encode('%PDF-1.7\\n1 0 obj<<>>endobj\\ntrailer<<>>\\n%%EOF');
  const file = new File([bytes], 'nota.pdf', { type: 'application/pdf' });
  const kept = await plataforma.files.create({ purpose: 'dispute_evidence', disputeId: dispute.id, file });
  const back = await plataforma.files.download(kept.id).bytes();
  found.file = [kept.name, back.length === bytes.length && back.every((each, at) => each === bytes[at])];

  const refusal = await plataforma.charges.create({ ...order, amount: -1 }).catch((error) => error);
  found.refusal = [refusal instanceof ApiError, refusal.code, refusal.field, refusal.requestId !== null];
  const silent = (url, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const late = await new Plataforma({ apiKey, baseUrl, fetch: silent, timeoutMs: 50, maxRetries: 1 }).wallet.balance().catch((error) => error);
  found.late = [late instanceof TimeoutError, late instanceof ConnectionError];
  let tries = 0;
  const flaky = (...given) => (tries++ === 0 ? Promise.reject(new TypeError('reset')) : fetch(...given));
  const once = await new Plataforma({ apiKey, baseUrl, fetch: flaky }).charges.create(order);
  found.retried = [tries, once.id === charge.id];
  found.reported = reports.every(({ status, requestId, durationMs }) => status && requestId && durationMs >= 0);
  return found;
}
`;

/** The entry for Node, whose input is a file. */
export const nodeSource = `import { readFileSync } from 'node:fs';
import { check } from './check.mjs';

console.log(JSON.stringify(await check(JSON.parse(readFileSync(process.argv[2], 'utf8')))));
`;

/** The entry for CommonJS, which only loads both modules. */
export const commonSource = `const { Plataforma } = require('@plataforma/sdk');
const { verifyWebhook } = require('@plataforma/sdk/webhooks');
console.log(typeof new Plataforma({ apiKey: 'key', baseUrl: 'https://api.example' }).charges.create, typeof verifyWebhook);
`;

/** The entry for workerd, whose input is a request. */
export const workerSource = `import { check } from 'check.mjs';

export default {
  async fetch(request) {
    try {
      return Response.json(await check(await request.json()));
    } catch (error) {
      return new Response(String(error.stack), { status: 500 });
    }
  },
};
`;

export const workerConfig = (port: number) => `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [
        (name = "worker.mjs", esModule = embed "worker.mjs"),
        (name = "check.mjs", esModule = embed "check.mjs"),
        (name = "@plataforma/sdk", esModule = embed "node_modules/@plataforma/sdk/dist/index.js"),
        (name = "@plataforma/sdk/webhooks", esModule = embed "node_modules/@plataforma/sdk/dist/webhooks.js"),
      ],
      compatibilityDate = "2025-09-01",
    )),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`;
