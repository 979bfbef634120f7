import { describe, expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import { sharedWorld, startWorld, type World } from './support/world.ts';

const trusting = worldOfFile(() => startWorld({ settings: { TRUSTED_PROXIES: '127.0.0.1, ::1' } }));
const trustsNobody = worldOfFile(sharedWorld);

const headerOf = async ({ gateway }: World, path: string, headers: Record<string, string>, name: string) =>
  (await fetch(gateway.url + path, { headers })).headers.get(name);

test.each(['/v1/charges', '/v1/account', '/docs', '/nowhere', '/healthz'])(
  'the answer of %s requires HTTPS behind a trusted HTTPS proxy',
  async (path) => {
    const requires = (world: World, protocol: string) =>
      headerOf(world, path, { 'x-forwarded-proto': protocol }, 'strict-transport-security');

    expect(await requires(trusting, 'https')).toBe('max-age=63072000; includeSubDomains');
    expect(await requires(trusting, 'http')).toBeNull();
    expect(await requires(trustsNobody, 'https')).toBeNull();
  },
);

describe.each(['/v1/charges', '/v1/account', '/nowhere'])('an answer of %s', (path) => {
  const isMarked = (world: World, headers: Record<string, string>) =>
    headerOf(world, path, headers, 'x-forwarded-for-ignored');

  test('marks a forwarded address that is not trusted', async () => {
    expect(await isMarked(trustsNobody, { 'x-forwarded-for': '203.0.113.7' })).toBe('true');
    expect(await isMarked(trusting, { 'x-forwarded-for': '203.0.113.7, 198.51.100.1' })).toBe('true');
  });

  test('has no mark when the address is trusted or absent', async () => {
    expect(await isMarked(trusting, { 'x-forwarded-for': '203.0.113.7' })).toBeNull();
    expect(await isMarked(trusting, { 'x-forwarded-for': '203.0.113.7, 127.0.0.1' })).toBeNull();
    expect(await isMarked(trustsNobody, {})).toBeNull();
  });
});
