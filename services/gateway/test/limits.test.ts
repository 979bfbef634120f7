import { beforeAll, describe, expect, test } from '@jest/globals';
import { sendRaw } from '@plataforma/testing/fixtures';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import type { Answered } from './support/send.ts';
import { startWorld } from './support/world.ts';

/** Ten seconds’ worth. */
const PER_KEY = 20;
const PER_ADDRESS = 60;

// The test is its own proxy, and so comes from wherever it says.
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
  /** The status of each that passed since a count began. */
  passed: number[];
  refused: Answered;
}

/** Asks until it is limited. However slow that is, only those of one count are told. */
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

describe('a key', () => {
  test('may be used so often, from wherever, and then gets the time to come back', async () => {
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

  test('does not use up what another key of the same merchant may, and says what is left', async () => {
    const { status, headers } = await from(newAddress(), { 'x-api-key': keys[1] ?? '' });

    expect([status, headers['ratelimit-limit'], headers['ratelimit-remaining']]).toEqual([
      200,
      `${PER_KEY}`,
      `${PER_KEY - 1}`,
    ]);
  });

  test('that does not exist is counted by address only', async () => {
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

  test('may use all its keys together so often, in one environment, and so may another one', async () => {
    const busy = await limited.approvedMerchant();
    const other = await limited.newMerchant();
    const four = await Promise.all([1, 2, 3, 4].map(() => limited.newKey(busy)));
    const live = await limited.newKey(busy, { environment: 'production' });
    const others = await limited.newKey(other);
    const callers = [busy.bearer, ...four.map(({ key }) => ({ 'x-api-key': key }))];

    // Each has a fifth of it, which is less than a key may: the header says whose limit it is.
    const { refused } = await exhaust(() => read(callers[next('turn') % callers.length] ?? {}));

    expect([refused.status, refused.code]).toEqual([429, 'RATE_LIMITED']);
    expect(refused.headers).toMatchObject({ 'ratelimit-limit': '40', 'ratelimit-remaining': '0' });
    expect([(await readBy(live.key)).status, (await readBy(others.key)).status]).toEqual([200, 200]);
  });

  test('loses nothing by what the limit of one key refuses', async () => {
    const busy = await limited.newMerchant();
    const [wild, calm] = [await limited.newKey(busy), await limited.newKey(busy)];
    await exhaust(() => readBy(wild.key));
    for (let more = 0; more < 60; more += 1) await readBy(wild.key);

    expect((await readBy(calm.key)).status).toBe(200);
  });
});

describe('a session and an operator', () => {
  test('may do so much each', async () => {
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
  test('may guess so many keys, and nothing more is looked up', async () => {
    const address = newAddress();

    const { passed } = await exhaust(() => from(address, { 'x-api-key': 'sk_sandbox_guess' }));

    expect(passed).toEqual(all(401, PER_ADDRESS));
    expect((await from(newAddress(), { 'x-api-key': keys[1] ?? '' })).status).toBe(200);
  });

  test('of IPv6 is the whole /64', async () => {
    const { passed } = await exhaust(() => from(`2001:db8:0:1::${next('host').toString(16)}`));

    expect(passed).toEqual(all(401, PER_ADDRESS));
    expect((await from('2001:db8:0:2::1')).status).toBe(401);
  });

  test('is the one our proxy saw, in whatever way it writes it, whatever stands before it', async () => {
    const forms = ['198.51.100.7', '198.51.100.7:4711', '::ffff:198.51.100.7', '[::ffff:c633:6407]:80'];
    const forged = () => {
      const count = next('forged');
      const headers = { 'x-real-ip': `10.0.0.${count}`, forwarded: `for=10.0.0.${count}` };
      return from(`10.0.0.${count}, ${forms[count % forms.length]}`, headers);
    };

    const { passed } = await exhaust(forged);

    expect(passed).toEqual(all(401, PER_ADDRESS));
  });

  test('is limited at a checkout too, where browsers may read that it is', async () => {
    const path = '/v1/charges/0193ad3c-1f2e-7cc3-98c4-dc0c0c07398f/checkout';
    const address = newAddress();

    const ask = () => world.call(path, { headers: { 'x-forwarded-for': address } });
    const { passed, refused } = await exhaust(ask, 3);

    expect(passed).toEqual(all(200, PER_ADDRESS / 3));
    expect(refused.headers['access-control-allow-origin']).toBe('*');
  });
});

describe('what is refused for what it is', () => {
  test('is counted as well, and refused when it is too much', async () => {
    const address = newAddress();

    const { passed, refused } = await exhaust(() =>
      world.call('/v1//x', { headers: { 'x-forwarded-for': address } }),
    );

    expect(passed).toEqual(all(400, PER_ADDRESS));
    expect([refused.code, refused.headers['ratelimit-remaining']]).toEqual(['RATE_LIMITED', '0']);
  });

  test('is hung up on above the limit too, with an answer before what follows is read', async () => {
    const address = newAddress();
    await exhaust(() => from(address));
    const head = `GET /v1/charges HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\nContent-Length: 1\r\n`;

    const answer = await sendRaw(Number(new URL(world.gateway.url).port), `${head}\r\n.not HTTP\r\n\r\n`);

    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 429']);
    expect(answer).toMatch(/\r\nConnection: close\r\n/);
  });
});

test('a browser that asks beforehand is counted, and gets what is left', async () => {
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
])('a read of %s counts for three requests of its address', async (path) => {
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

test('without a proxy of ours nobody’s headers say where a call comes from', async () => {
  const plain = await startWorld({ settings: { RATE_LIMIT_PER_ADDRESS: '1' } });
  const ask = () => {
    const address = newAddress();
    const headers = { 'x-forwarded-for': address, 'x-real-ip': address, forwarded: `for=${address}` };
    return plain.call('/v1/charges', { headers });
  };

  expect((await exhaust(ask)).passed).toEqual(all(401, 10));
  await plain.stop();
});
