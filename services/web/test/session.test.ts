import { expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import { foreignPaths } from './support/foreign-paths.ts';
import { cookiesOf, OURS, startWorld } from './support/world.ts';

const world = worldOfFile(() => startWorld({}, { clock: () => now }));
let now = new Date('2026-01-01T12:00:00Z');

const HOUR_MS = 3_600_000;
const later = (hours: number) => {
  now = new Date(now.getTime() + hours * HOUR_MS);
};
const logIn = (body: unknown) => world.call('/api/session', { method: 'POST', headers: OURS, body });
const balance = (cookie: string) => world.call('/api/v1/balance', { cookie });

test('a log-in sets a sealed cookie and returns no token', async () => {
  const { status, text, headers } = await logIn({ email: 'ana@loja.test', password: 'right' });

  const [session = '', device = ''] = headers.getSetCookie();
  expect(status).toBe(200);
  expect(session).toMatch(/^session=test\.[\w-]{60,}; Max-Age=43200; Path=\/;.* HttpOnly; SameSite=Strict$/);
  expect(device).toMatch(/^device=device-of-.*HttpOnly; SameSite=Strict$/);
  expect(text + session).not.toMatch(/refresh-\d|access-\d/);
});

test('a wrong password is refused without a cookie', async () => {
  const { status, code, headers } = await logIn({ email: 'ana@loja.test', password: 'wrong' });

  expect([status, code, headers.getSetCookie()]).toEqual([401, 'INVALID_CREDENTIALS', []]);
});

test('the device token is sent at the next log-in', async () => {
  const cookie = await world.logIn();
  const body = { email: 'ana@loja.test', password: 'right' };

  await world.call('/api/session', { method: 'POST', headers: OURS, cookie, body });

  const sent = world.gateway.requestsTo('/v1/auth/login').at(-1);
  expect(sent?.headers['x-device-token']).toBe('device-of-ana');
});

test('a form without script logs in, redirects and reports refusals', async () => {
  const headers = { 'sec-fetch-site': 'same-origin' };
  const post = (password: string, next: string) => {
    const body = new URLSearchParams({ email: 'ana@loja.test', password, next });
    return world.call('/api/session', { method: 'POST', headers, body });
  };

  const right = await post('right', '/test/charges?status=PAID');
  expect([right.status, right.headers.get('location')]).toEqual([303, '/test/charges?status=PAID']);
  expect(cookiesOf(right.headers)).toContain('session=');
  const locations = foreignPaths.map(async ([next]) => (await post('right', next)).headers.get('location'));
  expect(await Promise.all(locations)).toEqual(foreignPaths.map(([, path]) => path));
  const wrong = await post('wrong', '/');
  expect(wrong.headers.get('location')).toBe('/login?refused=INVALID_CREDENTIALS&next=%2F');
  const inTest = await post('wrong', '/test');
  expect(inTest.headers.get('location')).toBe('/test/login?refused=INVALID_CREDENTIALS&next=%2Ftest');
});

test('concurrent requests refresh an expired access token once', async () => {
  const cookie = await world.logIn();
  world.gateway.expireAccessTokens();
  const before = world.gateway.requestsTo('/v1/auth/refresh').length;

  const answers = await Promise.all(Array.from({ length: 12 }, () => balance(cookie)));

  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  expect(world.gateway.requestsTo('/v1/auth/refresh').length - before).toBe(1);
});

/** Makes the gateway replace the refresh token at each refresh. */
function rotating() {
  world.gateway.answering('POST /v1/auth/refresh', ({ body }) => {
    const { refreshToken, rotate } = JSON.parse(body);
    expect(rotate).toBe(true);
    return world.gateway.given({ ...world.gateway.accessToken(), refreshToken: `${refreshToken}.next` });
  });
}

test('concurrent requests replace the refresh token in the cookie once', async () => {
  const refresh = world.gateway.answerOf('POST /v1/auth/refresh');
  const cookie = await world.logIn();
  later(1);
  rotating();
  const before = world.gateway.requestsTo('/v1/auth/refresh').length;

  const answers = await Promise.all(Array.from({ length: 6 }, () => balance(cookie)));
  const renewed = cookiesOf(answers[0]?.headers ?? new Headers());
  const next = await balance(renewed);
  later(1);
  await balance(renewed);

  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
  for (const { headers } of answers) expect(cookiesOf(headers)).toMatch(/^session=/);
  expect([next.status, cookiesOf(next.headers)]).toEqual([200, '']);
  const sent = world.gateway.requestsTo('/v1/auth/refresh').slice(before);
  const tokens = sent.map(({ body }) => JSON.parse(body).refreshToken);
  expect(tokens).toEqual([tokens[0], `${tokens[0]}.next`]);
  world.gateway.answering('POST /v1/auth/refresh', refresh);
});

test('a session continues while its token cannot be replaced', async () => {
  const refresh = world.gateway.answerOf('POST /v1/auth/refresh');
  const cookie = await world.logIn();
  later(1);
  world.gateway.refusing('POST /v1/auth/refresh', 429, 'RATE_LIMITED');

  expect((await balance(cookie)).status).toBe(200);
  world.gateway.answering('POST /v1/auth/refresh', refresh);
});

test('a wrong current password is sent once, and ends no session', async () => {
  const cookie = await world.logIn();
  world.gateway.refusing('POST /v1/auth/password', 401, 'INVALID_CREDENTIALS');
  const body = { currentPassword: 'a guess', newPassword: 'a second password' };

  const refused = await world.call('/api/v1/auth/password', { method: 'POST', headers: OURS, cookie, body });

  expect([refused.status, refused.code]).toEqual([401, 'INVALID_CREDENTIALS']);
  expect(world.gateway.requestsTo('/v1/auth/password')).toHaveLength(1);
  expect(refused.headers.getSetCookie()).toEqual([]);
});

test('a password change opens a new session, ends the old', async () => {
  const cookie = await world.logIn();
  const logInAgain = world.gateway.answerOf('POST /v1/auth/login');
  world.gateway.answering('POST /v1/auth/password', (request) => {
    world.gateway.endSessions();
    return logInAgain({ ...request, body: JSON.stringify({ email: 'ana@loja.test', password: 'right' }) });
  });
  const body = { currentPassword: 'a password', newPassword: 'a second password' };

  const changed = await world.call('/api/v1/auth/password', { method: 'POST', headers: OURS, cookie, body });

  expect([changed.status, Object.keys(changed.json.data)]).toEqual([200, ['message']]);
  expect(JSON.parse(world.gateway.requestsTo('/v1/auth/password').at(-1)?.body ?? '')).toEqual(body);
  expect((await balance(cookie)).code).toBe('INVALID_REFRESH_TOKEN');
  expect((await balance(cookiesOf(changed.headers))).status).toBe(200);
});

test('a session ended by the gateway clears its cookie', async () => {
  const cookie = await world.logIn();
  world.gateway.endSessions();

  const { status, code, headers } = await balance(cookie);

  expect([status, code]).toEqual([401, 'INVALID_REFRESH_TOKEN']);
  expect(headers.getSetCookie()[0]).toMatch(/^session=; Max-Age=0/);
});

test('a gateway that does not answer ends no session', async () => {
  const refresh = world.gateway.answerOf('POST /v1/auth/refresh');
  const cookie = await world.logIn();
  world.gateway.expireAccessTokens();
  world.gateway.refusing('POST /v1/auth/refresh', 503, 'SERVICE_UNAVAILABLE');

  const { status, headers } = await balance(cookie);

  expect([status, headers.getSetCookie()]).toEqual([503, []]);
  world.gateway.answering('POST /v1/auth/refresh', refresh);
});

test('a log-out ends the session at the gateway and clears the cookie', async () => {
  const cookie = await world.logIn();

  const { status, headers } = await world.call('/api/session', { method: 'DELETE', headers: OURS, cookie });

  expect([status, cookiesOf(headers)]).toEqual([200, '']);
  expect(world.gateway.requestsTo('/v1/auth/logout')).toHaveLength(1);
  expect((await balance(cookie)).status).toBe(401);
});

test('a session expires after twelve hours without a request', async () => {
  const cookie = await world.logIn();
  later(11);
  const used = await balance(cookie);
  const renewed = cookiesOf(used.headers);
  expect([used.status, renewed]).toEqual([200, expect.stringContaining('session=')]);
  later(2);
  expect((await balance(cookie)).code).toBe('UNAUTHORIZED');
  expect((await balance(renewed)).status).toBe(200);
  later(13);
  expect((await balance(renewed)).code).toBe('UNAUTHORIZED');
});

test('a session ends after thirty days even in use', async () => {
  let cookie = await world.logIn();
  for (let days = 0; days < 60; days += 1) {
    later(11.9);
    cookie = cookiesOf((await balance(cookie)).headers) || cookie;
  }
  later(11.9);

  expect((await balance(cookie)).code).toBe('UNAUTHORIZED');
});

test('a forged or duplicated session cookie is refused', async () => {
  const cookie = await world.logIn();
  const changed = cookie.replace(
    /^(session=test\..{9})(.)/,
    (_all, before, next) => before + (next === 'A' ? 'B' : 'A'),
  );

  expect((await balance('session=test.AAAA')).code).toBe('UNAUTHORIZED');
  expect((await balance(changed)).code).toBe('UNAUTHORIZED');
  expect((await balance(`${cookie}; ${cookie}`)).code).toBe('UNAUTHORIZED');
});

test('the session endpoint returns the account only after a log-in', async () => {
  const cookie = await world.logIn();
  world.gateway.giving('GET /v1/account', { companyName: 'Loja' });

  expect((await world.call('/api/session', { cookie })).json.data).toEqual({ companyName: 'Loja' });
  expect((await world.call('/api/session')).code).toBe('UNAUTHORIZED');
});

test('a registration returns no token and leaves no session', async () => {
  const data = { accessToken: 'access-new', refreshToken: 'refresh-new' };
  world.gateway.answering('POST /v1/auth/register', () => ({ status: 201, body: { success: true, data } }));
  const register = () =>
    world.call('/api/v1/auth/register', { method: 'POST', headers: OURS, body: { email: 'new@loja.test' } });

  const { status, text, headers } = await register();

  expect([status, headers.getSetCookie()]).toEqual([201, []]);
  expect(text).not.toMatch(/access-new|refresh-new/);
  expect(world.gateway.requestsTo('/v1/auth/register').at(-1)?.body).toBe('{"email":"new@loja.test"}');
  const ended = world.gateway.requestsTo('/v1/auth/logout').at(-1);
  expect(ended?.headers.authorization).toBe('Bearer access-new');
  world.gateway.answering('POST /v1/auth/register', () => world.gateway.refusal(409, 'ACCOUNT_EXISTS'));
  expect([(await register()).status, (await register()).code]).toEqual([409, 'ACCOUNT_EXISTS']);
});
