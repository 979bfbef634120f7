import { beforeAll, describe, expect, test } from '@jest/globals';
import { evidenceForm } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { OURS, startWorld } from './support/world.ts';

const world = worldOfFile(() => startWorld({ PUBLIC_URL: 'http://localhost:4000' }));
let cookie: string;

beforeAll(async () => {
  cookie = await world.logIn();
});

const changes: [string, string, () => unknown][] = [
  ['order a withdrawal', '/api/v1/withdrawals', () => ({ amount: 100 })],
  // An HTML form on any site can send this content type.
  ['add a file', '/api/v1/files', () => evidenceForm('0193a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b')],
];

describe.each(changes)('a page of another site can’t %s', (_what, path, bodyOf) => {
  const send = (headers: Record<string, string>) =>
    world.call(path, { method: 'POST', headers, cookie, body: bodyOf() });

  test.each([
    ['that a browser marks as cross-site', { ...OURS, 'sec-fetch-site': 'cross-site' }],
    ['of another host of the same site', { ...OURS, 'sec-fetch-site': 'same-site' }],
    ['from the address bar', { ...OURS, 'sec-fetch-site': 'none' }],
    ['of a form without the header', { 'sec-fetch-site': 'same-origin' }],
    ['with another X-Requested-With', { ...OURS, 'x-requested-with': 'XMLHttpRequest' }],
    ['of an old browser at another origin', { 'x-requested-with': 'plataforma', origin: 'http://evil.test' }],
    ['without an origin', { 'x-requested-with': 'plataforma' }],
  ])('by a request %s', async (_name, headers) => {
    const before = world.gateway.all.length;

    const { status, code } = await send(headers);

    expect([status, code, world.gateway.all.length]).toEqual([403, 'FORBIDDEN', before]);
  });

  test('while our own page can, in old and new browsers', async () => {
    expect((await send(OURS)).status).toBe(200);
    const older = { 'x-requested-with': 'plataforma', origin: 'http://localhost:4000' };
    expect((await send(older)).status).toBe(200);
  });
});

test('a page of another site can’t log in or out', async () => {
  const headers = { 'sec-fetch-site': 'cross-site' };
  const body = new URLSearchParams({ email: 'eve@evil.test', password: 'right' });

  const login = await world.call('/api/session', { method: 'POST', headers, body });
  const logout = await world.call('/api/session', { method: 'DELETE', headers, cookie });

  expect([login.status, logout.status]).toEqual([403, 403]);
  expect(world.gateway.requestsTo('/v1/auth/logout')).toEqual([]);
});
