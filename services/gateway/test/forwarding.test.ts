import { request } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { scopes } from '@plataforma/contracts';
import { sendRaw } from '@plataforma/testing/fixtures';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import type { FakeService } from './support/fake-service.ts';
import { startWorld, verifierOf } from './support/world.ts';

const world = worldOfFile(() => startWorld({ settings: { TRUSTED_PROXIES: '127.0.0.1' } }));
const merchant = beforeFile(() => world.approvedMerchant());
let key: string;
let charges: FakeService;

beforeAll(async () => {
  ({ key } = await world.newKey(merchant, { scopes: ['charges:read', 'charges:write'] }));
  charges = world.services.charges;
});

const withKey = () => ({ 'x-api-key': key });

function identityAt(audience: string, service: FakeService) {
  return verifierOf(audience).verify(String(service.last().headers['x-internal-identity'])).identity;
}

const groupIn = (identity: object) => Number(Object(identity).group);

describe('a forwarded request', () => {
  test('has the same method, path, query and body', async () => {
    const { status, json } = await world.post(
      '/v1/charges?status=PAID&limit=5&externalId=caf%C3%A9%2F1',
      { amount: 2500, payerName: 'Maria' },
      withKey(),
    );

    expect([status, json]).toEqual([200, { success: true, data: {} }]);
    const { method, url, body, headers } = charges.last();
    expect([method, url]).toEqual(['POST', '/v1/charges?status=PAID&limit=5&externalId=caf%C3%A9%2F1']);
    expect(JSON.parse(body.toString())).toEqual({ amount: 2500, payerName: 'Maria' });
    expect(headers['content-type']).toBe('application/json');
  });

  test.each([
    [{ type: 'refund', chargeId: 'x' }, 'charges'],
    [{ type: 'charge', amount: 2500 }, 'charges'],
    [{ type: 'withdrawal', amount: 2500 }, 'withdrawals'],
    [{ type: 'toString' }, 'withdrawals'],
    [{ amount: 2500 }, 'withdrawals'],
    [[], 'withdrawals'],
  ] as const)('to POST /v1/quotes with body %j reaches %s', async (body, name) => {
    const before = world.services[name].requests.length;

    await world.post('/v1/quotes', body, withKey());

    expect(world.services[name].requests.length).toBe(before + 1);
    expect(JSON.parse(world.services[name].last().body.toString())).toEqual(body);
  });

  test.each([
    ['GET', '/v1/charges/'],
    ['HEAD', '/v1/charges/?page=1'],
    ['GET', '/v1/charges/caf%C3%A9'],
    ['POST', '/v1/charges/a.b:c/refund/'],
  ])('matches a pattern (%s %s) and arrives unchanged', async (method, path) => {
    await world.call(path, { method, headers: withKey() }).catch(() => undefined);

    expect(charges.last()).toMatchObject({ method, url: path });
  });

  test.each([
    ['GET', '/v1/charges/1/2/3', 404],
    ['GET', '/v1/Charges', 404],
    ['GET', '/v1/charges/1/', 200],
    ['DELETE', '/v1/charges', 405],
    ['OPTIONS', '/v1/charges', 405],
  ])('needs a route of the table: %s %s is %i', async (method, path, expected) => {
    const before = charges.requests.length;

    const { status } = await world.call(path, { method, headers: withKey() });

    expect(status).toBe(expected);
    expect(charges.requests.length - before).toBe(expected === 200 ? 1 : 0);
  });

  test('carries the merchant’s identity, valid for its own service only', async () => {
    await world.call('/v1/charges', { headers: withKey() });

    expect(identityAt('charges', charges)).toEqual({
      kind: 'merchant',
      merchantId: merchant.id,
      environment: 'sandbox',
      scopes: ['charges:read', 'charges:write'],
      timeZone: 'America/Sao_Paulo',
    });
    expect(() => identityAt('ledger', charges)).toThrow('gateway');
  });

  test('with a bearer token has every scope in the named environment', async () => {
    await world.call('/v1/balance', { headers: { ...merchant.bearer, 'x-environment': 'production' } });

    expect(identityAt('ledger', world.services.ledger)).toEqual({
      kind: 'merchant',
      merchantId: merchant.id,
      environment: 'production',
      ...{ scopes, timeZone: 'America/Sao_Paulo' },
    });
  });

  test.each([
    ['get', '/v1/charges/0193ad3c-1f2e-7cc3-98c4-dc0c0c07398f/checkout'],
    ['post', '/callbacks/pix/a-secret'],
    ['post', '/callbacks/pix/a-secret/pix'],
  ])('to a public route (%s %s) is anonymous, even with credentials', async (method, path) => {
    await world.call(path, { method: method.toUpperCase(), headers: withKey() });

    expect(charges.last().url).toBe(path);
    expect(identityAt('charges', charges)).toEqual({ kind: 'anonymous' });
  });

  test('for a checkout groups networks without naming them', async () => {
    const begin = async (address: string) => {
      const headers = { 'x-forwarded-for': address };
      await world.post('/v1/payment-links/q7Xk2mVnQ2pLw7Yt/checkouts', {}, headers);
      return identityAt('charges', charges);
    };

    const [one, same, other] = [
      await begin('2001:db8::1'),
      await begin('2001:db8::2'),
      await begin('198.51.100.7'),
    ];

    expect(one).toEqual({ kind: 'anonymous', group: expect.any(Number) });
    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
    expect(other).toEqual({ kind: 'anonymous', group: expect.any(Number) });

    const wider = async (address: string, bits: number) => groupIn(await begin(address)) >> bits;
    const in48 = await wider('2001:db8:0:5678::1', 15);
    expect(in48).toBe(groupIn(one) >> 15);
    expect(await wider('2001:db8:0:1234::1', 8)).toBe(await wider('2001:db8:0:1278::1', 8));
    expect(await wider('2001:db8:1::1', 15)).not.toBe(in48);
    expect(await wider('198.51.100.200', 15)).toBe(groupIn(other) >> 15);
    expect(await wider('198.51.101.7', 15)).not.toBe(groupIn(other) >> 15);
  });

  test('loses forged internal headers, credentials and addresses', async () => {
    const forbidden = {
      'x-internal-identity': 'forged',
      'x-internal-anything': 'forged',
      'X-Forwarded-For': '203.0.113.7',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      'x-real-ip': '203.0.113.7',
      forwarded: 'for=203.0.113.7',
      cookie: 'session=canary',
      'proxy-authorization': 'Basic canary',
      te: 'trailers',
    };

    await world.call('/v1/charges', {
      headers: { ...forbidden, ...withKey(), 'x-environment': 'sandbox' },
    });

    const { headers } = charges.last();
    const names = Object.keys(headers).filter((name) =>
      /forwarded|real-ip|authorization|cookie|api-key|x-environment|^te$/.test(name),
    );
    expect(names).toEqual([]);
    expect(headers['x-internal-anything']).toBeUndefined();
    expect(JSON.stringify(headers)).not.toMatch(/canary|forged|evil|203\.0\.113/);
    expect(JSON.stringify(headers)).not.toContain(key);
    expect(identityAt('charges', charges)).toMatchObject({ merchantId: merchant.id, environment: 'sandbox' });
  });

  test('has allowed headers only', async () => {
    const sent = { accept: 'text/csv', 'user-agent': 'shop/1', 'idempotency-key': 'k', 'x-anything': 'else' };
    const about = { origin: 'https://shop.example', range: 'bytes=0-1', 'if-none-match': '"x"' };

    await world.post('/v1/charges', { amount: 2500 }, { ...merchant.bearer, ...sent, ...about });

    expect(Object.keys(charges.last().headers).toSorted()).toEqual([
      'accept',
      'connection',
      'content-length',
      'content-type',
      'host',
      'idempotency-key',
      'traceparent',
      'user-agent',
      'x-internal-identity',
      'x-request-id',
    ]);
  });

  test('keeps its identity when Connection names that header', async () => {
    const { hostname, port } = new URL(world.gateway.url);
    const head = `Host: ${hostname}\r\nX-API-Key: ${key}\r\nConnection: close, x-internal-identity\r\n`;

    const answer = await sendRaw(Number(port), `GET /v1/charges HTTP/1.1\r\n${head}\r\n`);

    expect(answer).toContain('HTTP/1.1 200');
    expect(identityAt('charges', charges)).toMatchObject({ merchantId: merchant.id });
  });

  test('keeps a valid request id and gets a new trace', async () => {
    const trace = '0af7651916cd43dd8448eb211c80319c';
    const own = { 'x-request-id': 'order-4711', traceparent: `00-${trace}-b7ad6b7169203331-01` };

    const { headers } = await world.call('/v1/charges', { headers: { ...withKey(), ...own } });

    expect(headers['x-request-id']).toBe('order-4711');
    expect(charges.last().headers).toMatchObject({
      'x-request-id': 'order-4711',
      traceparent: expect.stringMatching(`^00-(?!${trace})[0-9a-f]{32}-[0-9a-f]{16}-01$`),
    });
  });

  test('passes on a single Idempotency-Key and refuses two', async () => {
    const order = { method: 'POST', body: { amount: 2500 } };
    await world.call('/v1/charges', { ...order, headers: { ...withKey(), 'idempotency-key': 'a, b' } });
    const sent = charges.last().headers['idempotency-key'];
    const twice = await world.call('/v1/charges', {
      ...order,
      headers: { ...withKey(), 'idempotency-key': ['a', 'b'] },
    });

    expect(sent).toBe('a, b');
    expect([twice.status, twice.json.error?.message]).toEqual([400, 'Idempotency-Key: must be sent once']);
  });

  test('gets a new id when its own is invalid', async () => {
    const { headers } = await world.call('/v1/charges', {
      headers: { ...withKey(), 'x-request-id': 'not sane' },
    });

    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(charges.last().headers['x-request-id']).toBe(headers['x-request-id']);
  });

  test('without a body has Content-Length 0', async () => {
    const { hostname, port } = new URL(world.gateway.url);
    const head = `Host: ${hostname}\r\nX-API-Key: ${key}\r\nConnection: close\r\n`;

    await sendRaw(Number(port), `POST /v1/charges HTTP/1.1\r\n${head}\r\n`);

    expect(charges.last().headers['content-length']).toBe('0');
    expect(charges.last().headers['transfer-encoding']).toBeUndefined();
  });

  test('of unknown length arrives whole', async () => {
    const received = new Promise<number | undefined>((resolve, reject) => {
      const headers = { ...withKey(), 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
      const call = request(`${world.gateway.url}/v1/charges`, { method: 'POST', headers }, (answer) =>
        resolve(answer.resume().statusCode),
      ).on('error', reject);
      call.write('{"amount":');
      setTimeout(() => call.end('2500}'), 20);
    });

    expect(await received).toBe(200);
    expect(charges.last().body.toString()).toBe('{"amount":2500}');
  });

  test('reuses the connection to the service across callers’ connections', async () => {
    const before = charges.connections.length;

    for (let count = 0; count < 10; count += 1) {
      await world.call('/v1/charges', { headers: { ...withKey(), connection: 'close' } });
    }

    expect(charges.connections.length - before).toBeLessThanOrEqual(1);
  });
});
