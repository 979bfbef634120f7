/**
 * The source of a shop in two frameworks. Each has a webhook route, and another route whose JSON body the
 * framework itself parses.
 */
export const shopSource = `import { expressWebhook, fastifyWebhook } from '@plataforma/sdk/webhooks';
import express from 'express';
import fastify from 'fastify';

const secret = 'whsec_dGhlIG9sZCBzZWNyZXQgb2YgdGhlIHZlY3RvcnMhISE=';
const on = { 'charge.paid': ({ data }: { data: { amount: number } }) => console.log('paid ' + data.amount) };
const options = { secret, scheme: 'v1' as const, on, onError: () => undefined };

const app = express();
app.post('/webhooks', expressWebhook(options));
app.post('/raw', express.raw({ type: '*/*' }), expressWebhook(options));
app.use(express.json());
app.post('/parsed', expressWebhook(options));
app.post('/orders', (req, res) => void res.json(req.body));
const server = app.listen(0, '127.0.0.1', () => console.log('express ' + JSON.stringify(server.address())));

const other = fastify();
other.register(fastifyWebhook, { prefix: '/webhooks', ...options });
other.post('/orders', async (request) => request.body);
await other.listen({ host: '127.0.0.1', port: 0 });
console.log('fastify ' + JSON.stringify(other.server.address()));
`;
