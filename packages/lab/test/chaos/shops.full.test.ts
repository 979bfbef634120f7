import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import type { Character } from '../../src/chaos/actors/shop-manners.ts';
import { openShops, type Shops } from '../../src/chaos/actors/shops.ts';
import { diceOf } from '../../src/chaos/dice.ts';

let shops: Shops;
let addresses = 0;

beforeEach(async () => {
  shops = await openShops(diceOf(7));
});

afterEach(() => shops.stop());

const BODY = '{"event":"charge.paid"}';
const SECRET = 'um segredo comprido';

function signed(secret: string, body = BODY) {
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return { 'x-webhook-id': 'a', 'x-webhook-signature': `sha256=${signature}` };
}

function addressOf(some: Shops, character: Character, merchant: string): string {
  addresses += 1;
  return some.urlFor({ character, merchant, purpose: `no. ${addresses}` });
}

function send(url: string, init: RequestInit = {}) {
  return fetch(url, { method: 'POST', body: BODY, headers: signed(SECRET), redirect: 'manual', ...init });
}

describe('a shop’s server', () => {
  test('that is prompt accepts and records every webhook', async () => {
    const url = addressOf(shops, 'prompt', 'merchant 1');

    const { status } = await send(url);

    expect(status).toBe(200);
    expect(shops.received).toEqual([
      expect.objectContaining({
        configurationPath: new URL(url).pathname,
        id: 'a',
        signature: signed(SECRET)['x-webhook-signature'],
        headers: expect.objectContaining({ 'x-webhook-id': 'a' }),
        body: Buffer.from(BODY),
        at: expect.any(Number),
      }),
    ]);
    await eventually(() => expect(shops.received[0]?.status).toBe(200));
  });

  test('has a stable address for each purpose', () => {
    const urlOf = (purpose: string) => shops.urlFor({ character: 'prompt', merchant: 'merchant 1', purpose });

    expect(urlOf('a')).toBe(urlOf('a'));
    expect(urlOf('a')).not.toBe(urlOf('b'));
  });

  test('that is moody fails for a while and then recovers', async () => {
    const moods = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const url = addressOf(shops, 'moody', 'merchant 1');
        const statuses: (number | null)[] = [];
        for (let n = 0; n < 4; n += 1) {
          const answer = await send(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
          statuses.push(answer?.status ?? null);
        }
        return statuses;
      }),
    );

    for (const mood of moods) expect([500, 503, null]).toContain(mood[0]);
    for (const mood of moods) expect(mood).toContain(200);
    expect(new Set(moods.flat()).size).toBeGreaterThan(2);
  });

  test('that hangs does not answer', async () => {
    const asking = new AbortController();
    const answer = send(addressOf(shops, 'hanging', 'merchant 1'), { signal: asking.signal });
    await eventually(() => expect(shops.received).toHaveLength(1));

    asking.abort();

    await expect(answer).rejects.toThrow();
    expect(shops.received[0]?.status).toBeNull();
  });

  test('that drips answers 200 with an endless slow body', async () => {
    const { status, body } = await send(addressOf(shops, 'dripping', 'merchant 1'));
    const reader = body?.getReader();
    const first = await reader?.read();
    const second = await reader?.read();

    expect(status).toBe(200);
    expect([first?.value?.length, second?.value?.length]).toEqual([1, 1]);
    expect(shops.received[0]?.status).toBeNull();
    await reader?.cancel();
  });

  test('that redirects records followed redirects', async () => {
    const url = addressOf(shops, 'redirecting', 'merchant 1');

    const answer = await send(url);
    await send(url, { redirect: 'follow' });

    expect(answer.status).toBe(302);
    expect(shops.received.map(({ configurationPath }) => configurationPath)).toEqual([
      new URL(url).pathname,
      new URL(url).pathname,
      '/followed',
    ]);
  });

  test('that answers a gigabyte continues while the client reads', async () => {
    const { status, body } = await send(addressOf(shops, 'gigabyte', 'merchant 1'));
    const reader = body?.getReader();
    let size = 0;
    while (size < 20_000_000) size += (await reader?.read())?.value?.length ?? Number.NaN;

    expect(status).toBe(200);
    expect(size).toBeGreaterThan(20_000_000);
    await reader?.cancel();
  });

  test.each([
    ['has an untrusted certificate', 'distrusted', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['answers without TLS at an https address', 'without TLS', 'ERR_SSL_WRONG_VERSION_NUMBER'],
  ] as const)('that %s receives nothing', async (_what, character, code) => {
    const url = addressOf(shops, character, 'merchant 1');

    await expect(send(url)).rejects.toMatchObject({ cause: { code } });

    expect(url).toMatch(/^https:/);
    expect(shops.received).toEqual([]);
  });

  test('that is gone answers 404 or 410', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => send(addressOf(shops, 'gone', 'merchant 1'))),
    );

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404, 410]));
  });

  test('that is repaired accepts every webhook', async () => {
    const urls = [addressOf(shops, 'hanging', 'merchant 1'), addressOf(shops, 'gone', 'merchant 1')];

    shops.mend();

    for (const url of urls) expect((await send(url)).status).toBe(200);
  });
});

describe('a webhook', () => {
  test('counts as signed with its merchant’s secret, even a later one', async () => {
    const url = addressOf(shops, 'prompt', 'merchant 1');
    await send(url);
    const before = shops.received[0]?.isSigned;

    shops.learns('merchant 1', SECRET);
    shops.learns('merchant 1', 'outro segredo comprido');
    await send(url, { headers: signed('outro segredo comprido') });

    expect(before).toBe(false);
    expect(shops.received.map(({ isSigned }) => isSigned)).toEqual([true, true]);
  });

  test('counts as unsigned with a foreign, wrong or missing signature', async () => {
    const url = addressOf(shops, 'prompt', 'merchant 1');
    shops.learns('merchant 1', SECRET);
    shops.learns('merchant 2', 'outro segredo comprido');

    await send(url, { headers: signed('outro segredo comprido') });
    await send(url, { headers: signed(SECRET, '{"event":"charge.expired"}') });
    await send(url, { headers: {} });

    expect(shops.received.map(({ isSigned }) => isSigned)).toEqual([false, false, false]);
  });

  test('with a Standard Webhooks signature needs both signatures correct', async () => {
    const secret = `whsec_${Buffer.from('chave').toString('base64')}`;
    const url = addressOf(shops, 'prompt', 'merchant 1');
    shops.learns('merchant 1', secret);
    const standardBy = (key: string) => ({
      ...signed(secret),
      'webhook-id': 'a',
      'webhook-timestamp': '1',
      'webhook-signature': `v1,${createHmac('sha256', key).update(`a.1.${BODY}`).digest('base64')}`,
    });

    await send(url, { headers: standardBy('chave') });
    await send(url, { headers: standardBy('outra') });

    expect(shops.received.map(({ isSigned }) => isSigned)).toEqual([true, false]);
  });
});

test('the same seed makes the same moods at an address', async () => {
  const others = await openShops(diceOf(7));
  addressOf(others, 'moody', 'merchant 2');
  const moodOf = async (some: Shops) => {
    const url = some.urlFor({ character: 'moody', merchant: 'merchant 3', purpose: 'orders' });
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      const answer = await send(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
      statuses.push(answer?.status ?? 0);
    }
    return statuses;
  };

  const moods = await Promise.all([moodOf(shops), moodOf(others)]);
  await others.stop();

  expect(moods[0]).toEqual(moods[1]);
});
