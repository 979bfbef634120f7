import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type FakeMerchant, startFakeMerchant } from '../src/index.ts';

let merchant: FakeMerchant;

beforeEach(async () => {
  merchant = await startFakeMerchant();
});
afterEach(() => merchant.stop());

const post = (path: string, body: string | Uint8Array<ArrayBuffer>) =>
  fetch(`${merchant.url}${path}`, { method: 'POST', body, headers: { 'x-signature': 'abc' } });

describe('the fake merchant', () => {
  test('records the bytes, the path and the headers as they came', async () => {
    const bytes = new Uint8Array([0, 255, 10]);

    const response = await post('/hook?a=1', bytes);

    expect(response.status).toBe(200);
    expect(merchant.deliveries).toMatchObject([{ path: '/hook?a=1', headers: { 'x-signature': 'abc' } }]);
    expect(merchant.deliveries[0]?.body).toEqual(Buffer.from(bytes));
  });

  test('answers as configured, after the configured delay', async () => {
    merchant.answer(({ path }) => (path === '/slow' ? { status: 503, delayMs: 50 } : { status: 204 }));
    const before = Date.now();

    const responses = [await post('/', ''), await post('/slow', '')];

    expect(responses.map((response) => response.status)).toEqual([204, 503]);
    expect(Date.now() - before).toBeGreaterThanOrEqual(49);
  });

  test('waits for a later delivery, and finds an earlier one', async () => {
    const toCome = merchant.waitFor(({ path }) => path === '/b', 1000);
    await post('/a', '1');
    await post('/b', '2');

    expect((await toCome).body.toString()).toBe('2');
    expect((await merchant.waitFor(({ path }) => path === '/a', 0)).body.toString()).toBe('1');
  });

  test('stops waiting after its timeout', async () => {
    await expect(merchant.waitFor(() => true, 10)).rejects.toThrow('no such delivery within 10 ms');
  });
});
