import { beforeAll, describe, expect, test } from '@jest/globals';
import { sendRaw } from '@plataforma/testing/fixtures';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import type { Answered } from './support/send.ts';
import { startWorld } from './support/world.ts';

/** The number of requests that one API key may send in ten seconds. */
const PER_KEY = 20;
const PER_ADDRESS = 60;

// The gateway trusts the test as a proxy, so the test can send requests from any address.
const world = worldOfFile(() =>
  startWorld({
    settings: { RATE_LIMIT_PER_KEY: '2', RATE_LIMIT_PER_ADDRESS: '6', TRUSTED_PROXIES: '127.0.0.1' },
  }),
);
const merchant = beforeFile(() => world.newMerchant());
let keys: string[];

beforeAll(async () => {
  keys = [(await world.newKey(merchant)).key, (await world.newKey(merchant)).key];
});

const counters = new Map<string, number>();

function next(name: string): number {
  const count = (counters.get(name) ?? 0) + 1;
  counters.set(name, count);
  return count;
}

const newAddress = () => `203.0.113.${next('address')}`;

function from(address: string, headers: Record<string, string> = {}): Promise<Answered> {
  return world.call('/v1/charges', { headers: { 'x-forwarded-for': address, ...headers } });
}

interface Exhausted {
  /** The statuses of the requests that succeeded in one window. */
  passed: number[];
  refused: Answered;
}

/**
 * Repeats a request until it is limited. If a new window of the limit starts during the repetition, `passed`
 * begins again with the first request of that window.
 */
async function exhaust(ask: () => Promise<Answered>, cost = 1): Promise<Exhausted> {
  const passed: number[] = [];
  for (;;) {
    const answer = await ask();
    const { 'ratelimit-limit': limit, 'ratelimit-remaining': remaining } = answer.headers;
    if (answer.status === 429) return { passed, refused: answer };
    if (Number(remaining) === Number(limit) - cost) passed.splice(0);
    passed.push(answer.status);
  }
}

const all = (status: number, count: number) => Array.from({ length: count }, () => status);

describe('an API key', () => {
  test('has one limit across addresses and gets Retry-After above it', async () => {
    const [key = ''] = keys;

    const { passed, refused } = await exhaust(() => from(newAddress(), { 'x-api-key': key }));

    expect(passed).toEqual(all(200, PER_KEY));
    expect([refused.status, refused.code]).toEqual([429, 'RATE_LIMITED']);
    const { headers } = refused;
    expect(headers).toMatchObject({ 'ratelimit-limit': `${PER_KEY}`, 'ratelimit-remaining': '0' });
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(10);
    expect(headers['ratelimit-reset']).toBe(headers['retry-after']);
  });

  test('has its own limit and shows the remaining requests', async () => {
    const { status, headers } = await from(newAddress(), { 'x-api-key': keys[1] ?? '' });

    expect([status, headers['ratelimit-limit'], headers['ratelimit-remaining']]).toEqual([
      200,
      `${PER_KEY}`,
      `${PER_KEY - 1}`,
    ]);
  });

  test.each([
    ['of 20 KiB counts as three', JSON.stringify({ description: 'x'.repeat(20 * 1024) }), 3],
    ['of the largest size counts as thirteen', JSON.stringify({ description: 'x'.repeat(99 * 1024) }), 13],
    ['below 8 KiB counts as one', JSON.stringify({ description: 'x'.repeat(8_000) }), 1],
    ['without a length counts as thirteen', new Blob(['{}']).stream(), 13],
  ])('with a body %s', async (_name, body, cost) => {
    const { key } = await world.newKey(await world.newMerchant());
    const headers = { 'x-api-key': key, 'content-type': 'application/json', 'x-forwarded-for': newAddress() };
    const { headers: answered } = await fetch(`${world.gateway.url}/v1/charges`, {
      ...{ method: 'POST', headers, body, duplex: 'half' },
    });

    expect(answered.get('ratelimit-remaining')).toBe(`${PER_KEY - cost}`);
  });

  test.each([
    ['with a length', Buffer.alloc(60 * 1024, ' ')],
    ['without a length', new Blob(['{}']).stream()],
  ])('is not needed by a provider’s callback, which counts once %s', async (_name, body) => {
    const { headers } = await fetch(`${world.gateway.url}/callbacks/pix/a-secret`, {
      ...{ method: 'POST', body, duplex: 'half' },
      headers: { 'content-type': 'application/json', 'x-forwarded-for': newAddress() },
    });

    expect(headers.get('ratelimit-remaining')).toBe(`${PER_ADDRESS - 1}`);
  });

  test('that does not exist counts against its address only', async () => {
    const { status, headers } = await from(newAddress(), { 'x-api-key': 'sk_sandbox_guess' });

    expect([status, headers['ratelimit-limit']]).toEqual([401, `${PER_ADDRESS}`]);
  });
});

describe('a merchant', () => {
  const limited = worldOfFile(() =>
    startWorld({
      settings: { RATE_LIMIT_PER_KEY: '2', RATE_LIMIT_PER_MERCHANT: '4', RATE_LIMIT_PER_ADDRESS: '1000' },
    }),
  );

  const read = (headers: Record<string, string>) => limited.call('/v1/charges', { headers });
  const readBy = (key: string) => read({ 'x-api-key': key });

  test('has one limit for all its keys in an environment', async () => {
    const busy = await limited.approvedMerchant();
    const other = await limited.newMerchant();
    const four = await Promise.all([1, 2, 3, 4].map(() => limited.newKey(busy)));
    const live = await limited.newKey(busy, { environment: 'production' });
    const others = await limited.newKey(other);
    const callers = [busy.bearer, ...four.map(({ key }) => ({ 'x-api-key': key }))];

    // Each of the five callers sends a fifth of the requests, which is below its own limit. The header shows
    // the merchant's limit.
    const { refused } = await exhaust(() => read(callers[next('turn') % callers.length] ?? {}));

    expect([refused.status, refused.code]).toEqual([429, 'RATE_LIMITED']);
    expect(refused.headers).toMatchObject({ 'ratelimit-limit': '40', 'ratelimit-remaining': '0' });
    expect([(await readBy(live.key)).status, (await readBy(others.key)).status]).toEqual([200, 200]);
  });

  test('loses nothing to refused requests of one key', async () => {
    const busy = await limited.newMerchant();
    const [wild, calm] = [await limited.newKey(busy), await limited.newKey(busy)];
    await exhaust(() => readBy(wild.key));
    for (let more = 0; more < 60; more += 1) await readBy(wild.key);

    expect((await readBy(calm.key)).status).toBe(200);
  });
});

describe('a session and an operator', () => {
  test('have a limit each', async () => {
    const operator = await world.operator();
    const asOperator = () =>
      world.call('/v1/admin/charges', { headers: { ...operator, 'x-forwarded-for': newAddress() } });

    const session = await exhaust(() => from(newAddress(), merchant.bearer));
    const ofOperator = await exhaust(asOperator);

    expect(session.passed.length).toBeLessThanOrEqual(PER_KEY);
    expect(ofOperator.passed).toEqual(all(200, PER_KEY));
    expect([session.refused.code, ofOperator.refused.code]).toEqual(['RATE_LIMITED', 'RATE_LIMITED']);
  });
});

describe('an address', () => {
  test('has a limit of guessed keys, without further lookups', async () => {
    const address = newAddress();

    const { passed } = await exhaust(() => from(address, { 'x-api-key': 'sk_sandbox_guess' }));

    expect(passed).toEqual(all(401, PER_ADDRESS));
    expect((await from(newAddress(), { 'x-api-key': keys[1] ?? '' })).status).toBe(200);
  });

  test('of IPv6 stands for its whole /64', async () => {
    const { passed } = await exhaust(() => from(`2001:db8:0:1::${next('host').toString(16)}`));

    expect(passed).toEqual(all(401, PER_ADDRESS));
    expect((await from('2001:db8:0:2::1')).status).toBe(401);
  });

  test('is the last one a trusted proxy wrote, in any notation', async () => {
    const forms = ['198.51.100.7', '198.51.100.7:4711', '::ffff:198.51.100.7', '[::ffff:c633:6407]:80'];
    const forged = () => {
      const count = next('forged');
      const headers = { 'x-real-ip': `10.0.0.${count}`, forwarded: `for=10.0.0.${count}` };
      return from(`10.0.0.${count}, ${forms[count % forms.length]}`, headers);
    };

    const { passed } = await exhaust(forged);

    expect(passed).toEqual(all(401, PER_ADDRESS));
  });

  test('is limited at a checkout, in an answer browsers may read', async () => {
    const path = '/v1/charges/0193ad3c-1f2e-7cc3-98c4-dc0c0c07398f/checkout';
    const address = newAddress();

    const ask = () => world.call(path, { headers: { 'x-forwarded-for': address } });
    const { passed, refused } = await exhaust(ask, 3);

    expect(passed).toEqual(all(200, PER_ADDRESS / 3));
    expect(refused.headers['access-control-allow-origin']).toBe('*');
  });
});

describe('a malformed request', () => {
  test('is counted and refused above the limit', async () => {
    const address = newAddress();

    const { passed, refused } = await exhaust(() =>
      world.call('/v1//x', { headers: { 'x-forwarded-for': address } }),
    );

    expect(passed).toEqual(all(400, PER_ADDRESS));
    expect([refused.code, refused.headers['ratelimit-remaining']]).toEqual(['RATE_LIMITED', '0']);
  });

  test('above the limit is answered and its connection closes', async () => {
    const address = newAddress();
    await exhaust(() => from(address));
    const head = `GET /v1/charges HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\nContent-Length: 1\r\n`;

    const answer = await sendRaw(Number(new URL(world.gateway.url).port), `${head}\r\n.not HTTP\r\n\r\n`);

    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 429']);
    expect(answer).toMatch(/\r\nConnection: close\r\n/);
  });
});

test('a CORS preflight is counted and shows the remaining requests', async () => {
  const headers = { 'x-forwarded-for': newAddress() };
  const url = `${world.gateway.url}/v1/charges/0193ad3c-1f2e-7cc3-98c4-dc0c0c07398f/checkout`;

  const preflight = await fetch(url, { method: 'OPTIONS', headers });

  expect([preflight.status, preflight.headers.get('ratelimit-remaining')]).toEqual([
    204,
    `${PER_ADDRESS - 1}`,
  ]);
});

test.each([
  '/v1/charges/0193ad3c-1f2e-7cc3-98c4-dc0c0c07398f/checkout',
  '/v1/checkouts/0193ad3c-1f2e-7cc3-98c4-dc0c0c07398f',
  '/v1/payment-links/abcdefghijklmnop/page',
])('a read of %s counts as three requests of its address', async (path) => {
  for (const method of ['GET', 'HEAD']) {
    const headers = { 'x-forwarded-for': newAddress() };
    const left = async (of: string, by = method) =>
      (await fetch(world.gateway.url + of, { method: by, headers })).headers.get('ratelimit-remaining');

    expect([await left(path), await left('/v1/charges', 'GET')]).toEqual([
      `${PER_ADDRESS - 3}`,
      `${PER_ADDRESS - 4}`,
    ]);
  }
});

test('forwarded addresses do not count without a trusted proxy', async () => {
  const plain = await startWorld({ settings: { RATE_LIMIT_PER_ADDRESS: '1' } });
  const ask = () => {
    const address = newAddress();
    const headers = { 'x-forwarded-for': address, 'x-real-ip': address, forwarded: `for=${address}` };
    return plain.call('/v1/charges', { headers });
  };

  expect((await exhaust(ask)).passed).toEqual(all(401, 10));
  await plain.stop();
});
