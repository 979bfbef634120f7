/** A whole receiver, without a package: what the page prints is what the browser tests run. */
export const RECEIVER = `import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { WEBHOOK_SECRET } = process.env;

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  const expected = Buffer.from(\`sha256=\${createHmac('sha256', WEBHOOK_SECRET).update(body).digest('hex')}\`);
  const given = Buffer.from(request.headers['x-webhook-signature'] ?? '');
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
  if (isOurs) console.log(JSON.parse(body));
  response.writeHead(isOurs ? 200 : 401).end();
}).listen(4000);
`;

export const RUN_RECEIVER = `WEBHOOK_SECRET='…' node receiver.mjs`;

export function firstCharge(apiUrl: string): string {
  return `curl ${apiUrl}/v1/charges \\
  -H 'X-API-Key: sk_test_…' -H 'Content-Type: application/json' \\
  -d '{"amount":2500,"externalId":"pedido-1001","payerName":"Maria da Silva","payerDocument":"12345678909"}'`;
}
