import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { endpoints } from '@plataforma/contracts';
import { eventually, evidenceForm, type MetricsScraper, openMetricsScraper } from '@plataforma/testing';
import { write } from './support/connections.ts';
import { OURS, startWorld, type World } from './support/world.ts';

let world: World;
let cookie: string;
let scraper: MetricsScraper;

beforeAll(async () => {
  scraper = await openMetricsScraper();
  world = await startWorld({ TRUSTED_PROXIES: '127.0.0.1', METRICS_PORT: String(scraper.port) });
  cookie = await world.logIn();
});
afterAll(() => world.stop());

const filled = (path: string) => path.replace(/:\w+/g, '01a20f4e-0de5-7de0-a438-00a9d18135c6');

test('a page reaches merchant endpoints, not operator or token endpoints', async () => {
  const reached: string[] = [];
  for (const { method, path } of endpoints) {
    const before = world.gateway.all.length;
    await world.call(`/api${filled(path)}`, { method: method.toUpperCase(), headers: OURS, cookie });
    if (world.gateway.all.length > before) reached.push(`${method} ${path}`);
  }

  const expected = endpoints
    .filter(({ access, path }) => access.kind !== 'operator' && path !== '/v1/auth/logout')
    .filter(({ access, path }) => access.kind !== 'public' || path === '/v1/auth/register');
  expect(reached).toEqual(expected.map(({ method, path }) => `${method} ${path}`));
});

test('the gateway gets only the request, credentials, environment and address', async () => {
  const headers = {
    ...OURS,
    'x-environment': 'sandbox',
    'idempotency-key': 'key-1',
    'x-forwarded-for': '6.6.6.6, 203.0.113.9',
    'x-api-key': 'sk_live_other',
    authorization: 'Bearer other',
  };
  const refused = await world.call('/api/v1/charges', { method: 'POST', headers, cookie, body: {} });
  const { authorization: _none, 'x-api-key': _noKey, ...clean } = headers;
  await world.call('/api/v1/charges?page=2', { method: 'POST', headers: clean, cookie, body: { amount: 1 } });

  expect(refused.status).toBe(400);
  const [request] = world.gateway.requestsTo('/v1/charges').slice(-1);
  expect(request).toMatchObject({ method: 'POST', path: '/v1/charges?page=2', body: '{"amount":1}' });
  expect(request?.headers).toMatchObject({
    authorization: expect.stringMatching(/^Bearer access-/),
    'x-environment': 'sandbox',
    'idempotency-key': 'key-1',
    'x-forwarded-for': '203.0.113.9',
  });
  expect(Object.keys(request?.headers ?? {})).not.toEqual(expect.arrayContaining(['cookie']));
});

test('an API refusal reaches the page without its cookies', async () => {
  world.gateway.answering('GET /v1/balance', () => ({
    ...world.gateway.refusal(429, 'RATE_LIMITED'),
    headers: { 'retry-after': '7', 'set-cookie': 'a=b' },
  }));

  const { status, code, headers } = await world.call('/api/v1/balance', { cookie });

  expect([status, code, headers.get('retry-after')]).toEqual([429, 'RATE_LIMITED', '7']);
  expect([headers.getSetCookie(), headers.get('cache-control')]).toEqual([[], 'no-store']);
});

test('an answer counts for its environment, account answers for none', async () => {
  const requests = 'plataforma_http_request_duration_seconds_count';
  const refused = world.gateway.refusal(418, 'TEAPOT');
  for (const path of ['/v1/refunds', '/v1/account']) world.gateway.answering(`GET ${path}`, () => refused);

  for (const path of ['/v1/refunds', '/v1/account'])
    await world.call(`/api${path}`, { cookie, headers: { 'x-environment': 'production' } });

  await eventually(async () => {
    const shown = await scraper.scrape();
    const counted = (environment: string) => shown.valueOf(requests, { environment, status: '418' });
    expect([counted('production'), counted('none')]).toEqual([1, 1]);
  });
});

test('an oversized body gives 413, an encoded path traversal 400', async () => {
  const body = { description: 'x'.repeat(200_000) };
  const long = await world.call('/api/v1/charges', { method: 'POST', headers: OURS, cookie, body });
  const twisted = await world.call('/api/v1/charges/..%2fadmin', { cookie });

  expect([long.status, twisted.status]).toEqual([413, 400]);
});

test('a file form reaches only the file endpoint, unchanged', async () => {
  const body = evidenceForm('0193a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b', { name: 'nota.pdf' });
  const added = await world.call('/api/v1/files', { method: 'POST', headers: OURS, cookie, body });
  const before = world.gateway.all.length;
  const elsewhere = await world.call('/api/v1/charges', { method: 'POST', headers: OURS, cookie, body });
  const long = evidenceForm('x', { bytes: Buffer.alloc(2 * 1024 * 1024 + 32 * 1024) });
  const tooLong = await world.call('/api/v1/files', { method: 'POST', headers: OURS, cookie, body: long });

  expect([added.status, elsewhere.status, tooLong.status]).toEqual([200, 415, 413]);
  const [request] = world.gateway.requestsTo('/v1/files').slice(-1);
  expect(request?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
  expect(request?.body).toContain('filename="nota.pdf"');
  expect(world.gateway.all.length).toBe(before);
});

test('a file reaches a page as a download', async () => {
  const headers = {
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment; filename="nota.pdf"',
    'content-security-policy': "default-src 'none'; sandbox",
  };
  world.gateway.answering('GET /v1/files/1', () => ({ ...world.gateway.given({}), headers }));

  const answer = await world.call('/api/v1/files/1', {
    cookie,
    headers: { accept: 'application/octet-stream' },
  });

  expect(Object.fromEntries(answer.headers)).toMatchObject({
    ...headers,
    'x-content-type-options': 'nosniff',
  });
});

test('a request without a session never reaches the API', async () => {
  const before = world.gateway.all.length;

  expect((await world.call('/api/v1/charges')).code).toBe('UNAUTHORIZED');
  expect(world.gateway.all.length).toBe(before);
});

test('an unavailable gateway gives 503', async () => {
  const alone = await startWorld();
  const session = await alone.logIn();
  await alone.gateway.stop();

  const { status, code } = await alone.call('/api/v1/balance', { cookie: session });

  expect([status, code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  await alone.stop();
});

test.each([
  ['/v1/withdrawals', 'application/json', '{"amount":1}'],
  ['/v1/files', 'multipart/form-data; boundary=limite', '----'],
  ['/v1/auth/password', 'application/json', '{"currentPassword":"right","newPassword":"other one"}'],
])('a body that ends after its session is refused: %s', async (path, type, body) => {
  const alone = await startWorld();
  const session = await alone.logIn();
  let done = 0;
  alone.gateway.answering(`POST ${path}`, () => {
    done += 1;
    return alone.gateway.given({});
  });
  const about = { ...OURS, 'content-type': type, 'content-length': `${body.length}`, cookie: session };
  const socket = write(alone.url, `POST /api${path}`, { connection: 'close', ...about }, body.slice(0, 1));
  const answer = once(socket, 'data');
  expect((await alone.call('/api/v1/balance', { cookie: session })).status).toBe(200);

  alone.gateway.endSessions();
  socket.write(body.slice(1));

  expect(`${await answer}`).toContain('HTTP/1.1 401 ');
  expect(done).toBe(0);
  await alone.stop();
});
