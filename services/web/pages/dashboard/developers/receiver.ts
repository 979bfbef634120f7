import { apiUrl } from '../../shared/addresses.ts';
import { environment } from '../../shared/api.ts';

/**
 * The source of a complete webhook receiver that needs no packages. The page prints this code and the browser
 * tests run it.
 */
export const RECEIVER = `import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { WEBHOOK_SECRET, PORT = '4000' } = process.env;

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  const digest = createHmac('sha256', WEBHOOK_SECRET).update(body).digest('hex');
  const expected = Buffer.from(\`sha256=\${digest}\`);
  const given = Buffer.from(request.headers['x-webhook-signature'] ?? '');
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
  if (isOurs) console.log(JSON.parse(body));
  response.writeHead(isOurs ? 200 : 401).end();
}).listen(PORT, () => console.log(\`http://localhost:\${PORT}\`));
`;

export const RECEIVER_URL = 'http://localhost:4000';

export function runReceiver(secret = '…'): string {
  return `WEBHOOK_SECRET='${secret}' node receiver.mjs`;
}

const SOME_KEY = environment === 'sandbox' ? 'sk_sandbox_…' : 'sk_live_…';

export function firstCharge(key = SOME_KEY): string {
  const payer = { payerName: 'Maria da Silva', payerDocument: '12345678909' };
  return posting('/v1/charges', { amount: 2500, externalId: 'pedido-1001', ...payer }, key);
}

export function firstLink(): string {
  return posting('/v1/payment-links', { description: 'Aula de violão', amount: 12_000 }, SOME_KEY);
}

function posting(path: string, body: object, key: string): string {
  return `curl ${apiUrl()}${path} \\
  -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body)}'`;
}
