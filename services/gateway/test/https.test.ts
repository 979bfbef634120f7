import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startWorld, type World } from './support/world.ts';

let trusting: World;
let trustsNobody: World;

beforeAll(async () => {
  [trusting, trustsNobody] = await Promise.all([
    startWorld({ settings: { TRUSTED_PROXIES: '127.0.0.1' } }),
    startWorld(),
  ]);
});
afterAll(() => Promise.all([trusting?.stop(), trustsNobody?.stop()]));

const requires = async ({ gateway }: World, path: string, protocol: string) => {
  const headers = { 'x-forwarded-proto': protocol };
  return (await fetch(gateway.url + path, { headers })).headers.get('strict-transport-security');
};

test.each(['/v1/charges', '/v1/account', '/docs', '/nowhere', '/healthz'])(
  'the answer of %s requires HTTPS behind a trusted HTTPS proxy',
  async (path) => {
    expect(await requires(trusting, path, 'https')).toBe('max-age=63072000; includeSubDomains');
    expect(await requires(trusting, path, 'http')).toBeNull();
    expect(await requires(trustsNobody, path, 'https')).toBeNull();
  },
);
