import { Agent, request } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import type { FakeService } from './support/fake-service.ts';
import { sharedWorld } from './support/world.ts';

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
