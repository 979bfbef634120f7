import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { link, SLUG, VISIT, visit } from './support/visit.ts';
import { OURS, startWorld, type World } from './support/world.ts';

let world: World;
let overHttp: World;

beforeAll(async () => {
  [world, overHttp] = await Promise.all([
    startWorld({ PUBLIC_URL: 'https://painel.loja.test' }),
    startWorld(),
  ]);
  const { gateway } = world;
  gateway.giving(`GET /v1/payment-links/${SLUG}/page`, link);
  gateway.giving(`POST /v1/payment-links/${SLUG}/checkouts`, visit);
});
afterAll(() => Promise.all([world?.stop(), overHttp?.stop()]));

test('over https each cookie is Secure, HttpOnly and host-only', async () => {
  const [body, next] = [{ email: 'ana@loja.test', password: 'right' }, { 'sec-fetch-site': 'same-origin' }];
  const form = new URLSearchParams({ payerName: 'Ana', payerDocument: '12345678909' });

  const loggedIn = await world.call('/api/session', { method: 'POST', headers: OURS, body });
  const begun = await world.call(`/pay/l/${SLUG}`, { method: 'POST', headers: next, body: form });

  const cookies = [...loggedIn.headers.getSetCookie(), ...begun.headers.getSetCookie()];
  expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual([
    ...['__Host-session', '__Host-device', '__Host-visits'],
  ]);
  for (const cookie of cookies) {
    expect(cookie.split('; ')).toEqual(expect.arrayContaining(['Path=/', 'Secure', 'HttpOnly']));
    expect(cookie).not.toContain('Domain');
  }
  expect(begun.headers.get('location')).toContain(VISIT);
});

test.each(['/', '/login', '/api/session', '/api/unknown', '/docs', `/pay/l/${SLUG}`, '/healthz'])(
  'over https the answer of %s sets strict transport security',
  async (path) => {
    const [{ headers }, plain] = [await world.call(path), await overHttp.call(path)];

    expect(headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains');
    expect(plain.headers.get('strict-transport-security')).toBeNull();
  },
);

test.each(['/', '/api/session', '/assets/gone.js', '/robots.txt', `/pay/l/${SLUG}`, '/healthz'])(
  'the answer of %s has the strict security headers',
  async (path) => {
    const { headers } = await overHttp.call(path);

    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none';.* base-uri 'none'; frame-ancestors 'none'/,
    );
    if (path !== '/healthz') expect(headers.get('referrer-policy')).toBe('same-origin');
  },
);
