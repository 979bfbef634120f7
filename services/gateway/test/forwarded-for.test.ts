import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startWorld, type World } from './support/world.ts';

const HEADER = 'x-forwarded-for-ignored';
let trusting: World;
let trustsNobody: World;

beforeAll(async () => {
  [trusting, trustsNobody] = await Promise.all([
    startWorld({ settings: { TRUSTED_PROXIES: '127.0.0.1, ::1' } }),
    startWorld(),
  ]);
});
afterAll(() => Promise.all([trusting.stop(), trustsNobody.stop()]));

const ask = async (world: World, path: string, headers: Record<string, string>) =>
  (await fetch(world.gateway.url + path, { headers })).headers.get(HEADER);

describe.each(['/v1/charges', '/v1/account', '/nowhere'])('an answer of %s', (path) => {
  test('marks a forwarded address that is not trusted', async () => {
    expect(await ask(trustsNobody, path, { 'x-forwarded-for': '203.0.113.7' })).toBe('true');
    expect(await ask(trusting, path, { 'x-forwarded-for': '203.0.113.7, 198.51.100.1' })).toBe('true');
  });

  test('has no mark when the address is trusted or absent', async () => {
    expect(await ask(trusting, path, { 'x-forwarded-for': '203.0.113.7' })).toBeNull();
    expect(await ask(trusting, path, { 'x-forwarded-for': '203.0.113.7, 127.0.0.1' })).toBeNull();
    expect(await ask(trustsNobody, path, {})).toBeNull();
  });
});
