/** JavaScript that tests the packed SDK against a running platform. Each runtime runs the same code. */
export const checkSource = `import {
  ApiError, ConnectionError, Plataforma, TimeoutError,
} from '@plataforma/sdk';
import { verifyWebhook, webhookHandler } from '@plataforma/sdk/webhooks';

export async function check({ apiKey, baseUrl, vectors, name }) {
  const found = {};
  const reports = [];
  const plataforma = new Plataforma({ apiKey, baseUrl, onRequest: (report) => reports.push(report) });

  const verdicts = vectors.map(({ body, headers, secrets, scheme, now }) =>
    verifyWebhook(body, new Headers(headers), { secret: secrets, scheme, now: () => now * 1000 })
      .then(() => true, () => false));
  found.verdicts = await Promise.all(verdicts);
  const [{ headers, body, secrets }] = vectors;
  const amounts = [];
  const on = { 'charge.paid': ({ data }) => amounts.push(data.amount) };
  const handler = webhookHandler({ secret: secrets, scheme: 'v1', on });
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
  const csv = await plataforma.charges.listCsv({ externalId: name }).text();
  found.csv = csv.split('\\r\\n')[1].includes(name);
  found.statement = (await plataforma.wallet.statementCsv().text()).split(',')[0];
  const ofx = await plataforma.wallet.statementOfx().bytes();
  found.ofx = new TextDecoder('windows-1252').decode(ofx).slice(0, 13);

  const dispute = await plataforma.sandbox.charges.dispute(charge.id, {});
  const bytes = new TextEncoder().encode('%PDF-1.7\\n1 0 obj<<>>endobj\\ntrailer<<>>\\n%%EOF');
  const file = new File([bytes], 'nota.pdf', { type: 'application/pdf' });
  const kept = await plataforma.files.create({ purpose: 'dispute_evidence', disputeId: dispute.id, file });
  const back = await plataforma.files.download(kept.id).bytes();
  found.file = [kept.name, back.length === bytes.length && back.every((each, at) => each === bytes[at])];

  const refusal = await plataforma.charges.create({ ...order, amount: -1 }).catch((error) => error);
  found.refusal = [refusal instanceof ApiError, refusal.code, refusal.field, refusal.requestId !== null];
  const silent = (url, { signal }) => new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  const waiting = new Plataforma({ apiKey, baseUrl, fetch: silent, timeoutMs: 50, maxRetries: 1 });
  const late = await waiting.wallet.balance().catch((error) => error);
  found.late = [late instanceof TimeoutError, late instanceof ConnectionError];
  let tries = 0;
  const flaky = (...given) => (tries++ === 0 ? Promise.reject(new TypeError('reset')) : fetch(...given));
  const once = await new Plataforma({ apiKey, baseUrl, fetch: flaky }).charges.create(order);
  found.retried = [tries, once.id === charge.id];
  const isWhole = ({ status, requestId, durationMs }) => status && requestId && durationMs >= 0;
  found.reported = reports.every(isWhole);
  return found;
}
`;

/** The main program for Node, which reads its input from a file. */
export const nodeSource = `import { readFileSync } from 'node:fs';
import { check } from './check.mjs';

console.log(JSON.stringify(await check(JSON.parse(readFileSync(process.argv[2], 'utf8')))));
`;

/** The main program for CommonJS, which only loads the two modules of the SDK. */
export const commonSource = `const { Plataforma } = require('@plataforma/sdk');
const { verifyWebhook } = require('@plataforma/sdk/webhooks');
const { charges } = new Plataforma({ apiKey: 'key', baseUrl: 'https://api.example' });
console.log(typeof charges.create, typeof verifyWebhook);
`;

/** The main program for workerd, which gets its input in an HTTP request. */
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
