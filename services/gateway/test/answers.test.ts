import { Agent, request } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import type { FakeService } from './support/fake-service.ts';
import { OPERATOR, sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);
let key: string;
let charges: FakeService;

beforeAll(async () => {
  ({ key } = await world.newKey(await world.newMerchant()));
  charges = world.services.charges;
});

const withKey = () => ({ 'x-api-key': key });

describe('an answer of a service', () => {
  test.each([
    [201, '{"success":true,"data":{"id":"1"}}'],
    [200, '{"success":true,"data":{"name":"João ✓ 🏦"}}'],
    [402, '{"success":false,"error":{"code":"CARD_DECLINED","message":"insufficient_funds"}}'],
    [409, '{"success":false,"error":{"code":"EXTERNAL_ID_CONFLICT","message":"used"}}'],
    [500, '{"success":false,"error":{"code":"INTERNAL_ERROR","message":"sorry"}}'],
  ])('with status %d passes through unchanged', async (status, body) => {
    const headers = { 'x-own': 'yes', 'idempotency-replayed': 'true' };
    charges.answer(() => ({ status, body, headers }));

    const answer = await world.call('/v1/charges', { headers: withKey() });

    expect([answer.status, answer.text]).toEqual([status, body]);
    expect(answer.headers).toMatchObject(headers);
    charges.answer(() => ({ status: 200 }));
  });

  test('passes through with its Retry-After', async () => {
    const body = '{"success":false,"error":{"code":"PROVIDER_UNAVAILABLE","message":"later"}}';
    charges.answer(() => ({ status: 503, body, headers: { 'retry-after': '17' } }));

    const { status, headers, code } = await world.call('/v1/charges', { headers: withKey() });

    expect([status, code, headers['retry-after']]).toEqual([503, 'PROVIDER_UNAVAILABLE', '17']);
    charges.answer(() => ({ status: 200 }));
  });

  test('does not decide if the caller’s connection stays open', async () => {
    charges.answer(() => ({ status: 200, headers: { connection: 'close' } }));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const connectionOf = (headers: Record<string, string>) =>
      new Promise((resolve, reject) => {
        request(`${world.gateway.url}/v1/charges`, { agent, headers }, (answer) => {
          answer.resume().on('end', () => resolve(answer.headers.connection));
        })
          .on('error', reject)
          .end();
      });

    const byDefault = await connectionOf(withKey());
    const closed = await connectionOf({ ...withKey(), connection: 'close' });

    expect([byDefault, closed]).toEqual(['keep-alive', 'close']);
    charges.answer(() => ({ status: 200 }));
    agent.destroy();
  });
});

describe('the headers of an answer', () => {
  const checkout = '/v1/charges/0193ad3c-1f2e-7cc3-98c4-dc0c0c07398f/checkout';

  test('forbid caching and guessing of the content type', async () => {
    const expected = {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    };

    const forwarded = await world.call('/v1/charges', { headers: withKey() });
    const refused = await world.call('/v1/charges');
    const own = await world.post('/v1/auth/login', {});

    for (const { headers } of [forwarded, refused, own]) expect(headers).toMatchObject(expected);
  });

  test('drop the CORS, cookie and server headers of a service', async () => {
    const headers = { 'access-control-allow-origin': '*', 'set-cookie': 'a=b', server: 'inside/1' };
    charges.answer(() => ({ status: 200, headers }));

    const answer = await world.call('/v1/charges', {
      headers: { ...withKey(), origin: 'https://x.example' },
    });

    expect(answer.status).toBe(200);
    for (const name of Object.keys(headers)) expect(answer.headers[name]).toBeUndefined();
    charges.answer(() => ({ status: 200 }));
  });

  test('allow any page to read a checkout and its 404', async () => {
    const found = await world.call(checkout, { headers: { origin: 'https://shop.example' } });
    charges.answer(() => ({
      status: 404,
      body: '{"success":false,"error":{"code":"NOT_FOUND","message":"no"}}',
    }));
    const missing = await world.call(checkout);
    charges.answer(() => ({ status: 200 }));

    expect([found.status, missing.status]).toEqual([200, 404]);
    for (const { headers } of [found, missing]) expect(headers['access-control-allow-origin']).toBe('*');
  });

  test('allow a CORS preflight for a checkout only', async () => {
    const preflight = (path: string) =>
      fetch(`${world.gateway.url}${path}`, {
        method: 'OPTIONS',
        headers: { origin: 'https://shop.example', 'access-control-request-method': 'GET' },
      });

    const open = await preflight(checkout);
    const closed = await preflight('/v1/charges');

    expect([open.status, open.headers.get('access-control-allow-methods')]).toEqual([204, 'GET']);
    expect([closed.status, closed.headers.get('access-control-allow-origin')]).toEqual([405, null]);
  });
});

let sandboxKey: string;
let liveKey: string;
let bearer: Record<string, string>;

beforeAll(async () => {
  const merchant = await world.approvedMerchant();
  ({ key: sandboxKey } = await world.newKey(merchant));
  ({ key: liveKey } = await world.newKey(merchant, { environment: 'production' }));
  bearer = merchant.bearer;
});

const forwarded = () => Object.values(world.services).flatMap(({ requests }) => requests);

describe('an unsupported method', () => {
  test.each<[string, string, Record<string, string>, unknown]>([
    ['with no credentials', '/v1/charges', {}, undefined],
    ['with an unknown key', '/v1/charges', { 'x-api-key': 'sk_sandbox_x' }, undefined],
    ['with a key and a token', '/v1/charges', { 'x-api-key': 'a', authorization: 'Bearer b' }, undefined],
    ['with an unknown environment', '/v1/charges', { 'x-environment': 'live' }, undefined],
    ['with a body that is not JSON', '/v1/charges', { 'content-type': 'text/plain' }, Buffer.from('{')],
    ['with a compressed body', '/v1/charges', { 'content-encoding': 'gzip' }, Buffer.from('x')],
    ['with a body that is too long', '/v1/charges', {}, Buffer.alloc(200 * 1024, 32)],
    ['at an endpoint of the gateway', '/v1/auth/login', { 'content-type': 'text/plain' }, Buffer.from('{')],
    ['at an operators’ endpoint', '/v1/admin/merchants', {}, Buffer.from('{')],
    ['at a provider’s callback', '/callbacks/pix/guessed', {}, Buffer.from('{')],
    ['at a fixed path next to a path with an id', '/v1/charges/card-config', {}, undefined],
  ])('is refused before everything else, %s', async (_how, path, headers, body) => {
    const { status, json, headers: answered } = await world.call(path, { method: 'PUT', headers, body });

    expect([status, json.error]).toEqual([
      405,
      { code: 'METHOD_NOT_ALLOWED', message: `the path takes ${answered.allow}` },
    ]);
    expect(answered.allow).toMatch(/^[A-Z]+(, [A-Z]+)*$/);
    expect(answered).toHaveProperty('ratelimit-remaining');
  });

  test.each([
    ['PUT', '/v1/charges', 'POST, GET, HEAD'],
    ['GET', '/v1/auth/login', 'POST'],
    ['POST', '/v1/balance', 'GET, HEAD'],
    ['OPTIONS', '/v1/account', 'GET, HEAD, PATCH'],
    ['PATCH', '/v1/api-keys/1', 'DELETE'],
    ['PUT', '/callbacks/pix/secret', 'POST, GET, HEAD'],
    ['POST', '/openapi.json', 'GET, HEAD'],
    ['POST', '/docs', 'GET, HEAD'],
    ['POST', '/collection.json', 'GET, HEAD'],
    ['DELETE', '/v1/charges/card-config', 'GET, HEAD'],
    ['DELETE', '/v1/charges/1/checkout', 'GET, HEAD, OPTIONS'],
  ])('is refused for %s %s with the allowed methods', async (method, path, allow) => {
    const { status, headers } = await world.call(path, { method });

    expect([status, headers.allow]).toEqual([405, allow]);
  });

  test('at a checkout is refused in an answer any origin may read', async () => {
    const { headers } = await world.call('/v1/charges/1/checkout', { method: 'DELETE' });

    expect(headers['access-control-allow-origin']).toBe('*');
  });

  test('of a GET with a body closes the connection', async () => {
    const { status, headers } = await world.call('/v1/auth/login', { body: {} });

    expect([status, headers.connection]).toEqual([405, 'close']);
  });
});

describe('the header X-Environment', () => {
  const read = (headers: Record<string, string>) => world.call('/v1/balance', { headers });

  test.each([
    ['production', () => sandboxKey, 'sandbox'],
    ['sandbox', () => liveKey, 'production'],
  ])('with %s is refused beside a key of the other environment', async (named, key, own) => {
    const before = forwarded().length;

    const { status, json } = await read({ 'x-api-key': key(), 'x-environment': named });

    const message = `X-Environment: is ${named}, and the API key is for ${own}; send the header with a bearer token only`;
    expect([status, json.error]).toEqual([400, { code: 'ENVIRONMENT_MISMATCH', message }]);
    expect(forwarded()).toHaveLength(before);
  });

  test('may repeat the environment of the key', async () => {
    const answers = [
      await read({ 'x-api-key': sandboxKey, 'x-environment': 'sandbox' }),
      await read({ 'x-api-key': liveKey, 'x-environment': 'production' }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('reveals nothing about an invalid key', async () => {
    expect(await read({ 'x-api-key': 'sk_sandbox_x', 'x-environment': 'production' })).toMatchObject({
      status: 401,
      code: 'INVALID_API_KEY',
    });
  });

  test.each(['', ' ', 'live', 'Sandbox', 'sandbox, production'])(
    'may not be %j for any caller',
    async (named) => {
      const headers = { 'x-environment': named };
      const before = forwarded().length;

      const answers = [
        await read({ 'x-api-key': sandboxKey, ...headers }),
        await read({ ...bearer, ...headers }),
        await read(headers),
        await world.call('/v1/account', { headers: { ...bearer, ...headers } }),
        await world.post('/v1/admin/auth/login', OPERATOR, headers),
        await world.post('/v1/auth/login', Buffer.from('{'), headers),
        await world.call('/v1/charges/1/checkout', { headers }),
      ];

      const message = 'X-Environment: must be sandbox or production, or left out';
      for (const { status, json } of answers)
        expect([status, json.error]).toEqual([400, { code: 'VALIDATION_ERROR', message }]);
      expect(forwarded()).toHaveLength(before);
    },
  );

  test('of a provider does not affect its callback', async () => {
    const { status } = await world.post(
      '/callbacks/pix/a-secret',
      { pix: [] },
      { 'x-environment': 'homolog' },
    );

    expect([status, world.services.charges.last().url]).toEqual([200, '/callbacks/pix/a-secret']);
  });
});
