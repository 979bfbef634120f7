import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { api, type Endpoint, type ErrorCode, errorCatalogue } from '@plataforma/contracts';
import { eventually, evidenceForm } from '../../src/index.ts';
import { anOrder, type Client } from './client.ts';
import { made, newKey, refuses, type Shop } from './contract-shop.ts';
import { ofMerchants, type Walk } from './contract-walk.ts';

const MOST_KEYS = 100;

/** Causes every refusal that concerns log-ins, sessions and API keys. */
export async function walkCredentials({ account, anyone, session, merchant }: Shop): Promise<void> {
  const { email } = account;
  await refuses('ACCOUNT_EXISTS', anyone.post('/v1/auth/register', account));
  await refuses(
    'INVALID_CREDENTIALS',
    anyone.post('/v1/auth/login', { email, password: 'outra senha longa' }),
  );
  const change = { currentPassword: 'um palpite longo', newPassword: 'outra senha longa' };
  await refuses('INVALID_CREDENTIALS', session.post('/v1/auth/password', change));
  await refuses('INVALID_REFRESH_TOKEN', anyone.post('/v1/auth/refresh', { refreshToken: 'nenhum' }));
  const reads = (client: Client) => client.get('/v1/charges');
  await refuses('UNAUTHORIZED', reads(anyone));
  await refuses('INVALID_TOKEN', reads(anyone.as({ bearer: 'made.up.token' })));
  await refuses('INVALID_API_KEY', reads(anyone.as({ key: 'sk_sandbox_made_up' })));
  const { key } = await newKey(session);
  await refuses(
    'ENVIRONMENT_MISMATCH',
    reads(anyone.as({ key, headers: { 'x-environment': 'production' } })),
  );
  const narrow = await newKey(session, { scopes: ['wallet:read'] });
  await refuses('INSUFFICIENT_SCOPE', reads(anyone.as(narrow)));
  await refuses('IP_NOT_ALLOWED', reads(anyone.as(await newKey(session, { allowedIps: ['203.0.113.7'] }))));
  const soon = new Date(Date.now() + 2_000).toISOString();
  const short = anyone.as(await newKey(session, { expiresAt: soon }));
  await eventually(() => refuses('API_KEY_EXPIRED', reads(short)));
  const revoked = await newKey(session);
  await made(session.delete(`/v1/api-keys/${revoked.id}`));
  await eventually(() => refuses('API_KEY_REVOKED', reads(anyone.as(revoked))));
  await refuses('INVALID_STATE', session.post(`/v1/api-keys/${revoked.id}/rotate`, {}));
  const production = { name: 'loja', environment: 'production' };
  await refuses('MERCHANT_NOT_APPROVED', session.post('/v1/api-keys', production));
  await made(reads(merchant));
  await made(session.get('/v1/account'));
}

export async function walkKeys({ session }: Shop): Promise<void> {
  const more = { name: 'mais uma', environment: 'sandbox' };
  const { id } = await newKey(session);
  for (let keys = 2; keys < MOST_KEYS; keys += 1) await newKey(session);
  await refuses('API_KEY_LIMIT_REACHED', session.post('/v1/api-keys', more));
  const rotation = { gracePeriodSeconds: 600 };
  await refuses('API_KEY_LIMIT_REACHED', session.post(`/v1/api-keys/${id}/rotate`, rotation));
}

/** Causes NOT_FOUND at every endpoint that has the id of an object in its path. */
export async function walkNotFound(shop: Shop): Promise<void> {
  const clientsOf = {
    merchant: shop.merchant,
    bearer: shop.session,
    public: shop.anyone,
    operator: shop.anyone,
  };
  const nowhere = ({ path }: Endpoint) =>
    path.replace(':id', randomUUID()).replace(':slug', randomUUID().slice(0, 16));
  const named = ofMerchants
    .map(([, endpoint]) => endpoint)
    .filter(({ path, errors }) => path.includes(':') && errors.includes('NOT_FOUND'));
  await Promise.all(
    named.map((endpoint) => {
      const { method, access, examples } = endpoint;
      const body = examples?.[0]?.body;
      const sending = typeof body === 'object' && body !== null ? { body } : {};
      const pendingAnswer = clientsOf[access.kind].call(method.toUpperCase(), nowhere(endpoint), sending);
      return refuses('NOT_FOUND', pendingAnswer);
    }),
  );
  const { merchant } = shop;
  await refuses('NOT_FOUND', merchant.post('/v1/files', evidenceForm(randomUUID())));
  await refuses(
    'NOT_FOUND',
    merchant.post('/v1/withdrawals', { amount: 1_000, destinationId: randomUUID() }),
  );
  await refuses(
    'NOT_FOUND',
    merchant.post('/v1/sandbox/webhook-faults', { configId: randomUUID(), kind: 'drop' }),
  );
  await refuses('NOT_FOUND', merchant.post('/v1/quotes', { type: 'refund', chargeId: randomUUID() }));
}

/** Sends requests that are not valid HTTP, or that exceed a limit of HTTP requests. */
export async function walkHttp(
  { anyone, merchant, session }: Shop,
  baseUrl: string,
  walk: Walk,
): Promise<void> {
  const none = over(baseUrl, 'BREW /v1/charges HTTP/1.1\r\nhost: localhost\r\n\r\n');
  const { key } = await newKey(session);
  const head = `host: localhost\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: 9`;
  const late = over(baseUrl, `POST /v1/charges HTTP/1.1\r\n${head}\r\n\r\n{`);
  const headers = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`x-${index}`, '1']));
  await refuses('HEADERS_TOO_LARGE', anyone.as({ key, headers }).get('/v1/charges'));
  await refuses('URI_TOO_LONG', merchant.get(`/v1/charges?search=${'a'.repeat(9_000)}`));
  await refuses(
    'PAYLOAD_TOO_LARGE',
    merchant.post('/v1/charges', anOrder({ description: 'a'.repeat(110_000) })),
  );
  const plain = anyone.as({ key, headers: { 'content-type': 'text/plain' } });
  await refuses('UNSUPPORTED_MEDIA_TYPE', plain.post('/v1/charges', anOrder()));
  await refuses(
    'NOT_ACCEPTABLE',
    anyone.as({ key, headers: { accept: 'application/xml' } }).get('/v1/charges'),
  );
  await refuses('METHOD_NOT_ALLOWED', merchant.call('PUT', '/v1/charges'));
  await refuses('NOT_FOUND', merchant.get('/v1/nothing'));
  walk.received(codeIn(await none));
  walk.received(codeIn(await late));
}

/** Exceeds the limit of concurrent requests with which one merchant waits for new events. */
export async function walkLimits({ merchant }: Shop): Promise<void> {
  // The test repeats these five requests until one is refused. A new event ends all waiting requests, and
  // then all five may succeed.
  await eventually(async () => {
    const [newest] = (await merchant.get('/v1/events?limit=1')).list;
    if (!newest) throw new Error('the feed is empty so far');
    const path = `/v1/events?order=asc&wait=2&after=${newest.id}`;
    const answers = await Promise.all(Array.from({ length: 5 }, () => merchant.get(path)));
    const codes = answers.map(({ body }) => body.error?.code);
    if (!codes.includes('SERVICE_UNAVAILABLE')) throw new Error(`all five may wait: ${codes}`);
  });
}

/** Exceeds the limit of Pix codes per network address. */
export async function walkTries({ anyone }: Shop): Promise<void> {
  const pay = () => anyone.post(`/v1/checkouts/${randomUUID()}/pix`);
  for (let tries = 0; tries < api.payByPix.tries.perNetwork; tries += 1) await pay();
  await refuses('RATE_LIMITED', pay());
}

/** Sends the text over a TCP connection and returns the answer. */
async function over(baseUrl: string, request: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(request);
  return text(socket);
}

function codeIn(answer: string): ErrorCode {
  const code = Object.keys(errorCatalogue).find((each): each is ErrorCode => answer.includes(`"${each}"`));
  if (!code) throw new Error(`no refusal: ${answer}`);
  return code;
}
