import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { startGateway } from '../src/service.ts';
import { pruneRateCounters } from '../src/store/rate-counters.ts';
import { newAddress, startLogInWorld } from './support/log-ins.ts';
import { type Answered, send } from './support/send.ts';
import { OPERATOR } from './support/world.ts';

const PER_ACCOUNT = 3;
const PER_ADDRESS = 12;

const world = worldOfFile(() => startLogInWorld({ perAccount: PER_ACCOUNT, perAddress: PER_ADDRESS }));

async function codesOf(count: number, ask: () => Promise<Answered>): Promise<string[]> {
  const codes: string[] = [];
  for (let tried = 0; tried < count; tried += 1) codes.push((await ask()).code);
  return codes;
}

const wrong = (count: number) => Array.from({ length: count }, () => 'INVALID_CREDENTIALS');

describe('the guessing of passwords', () => {
  test.each(['known', 'unknown'])('of one %s account is limited, with Retry-After', async (kind) => {
    const email = kind === 'known' ? (await world.account()).email : `${newId()}@nobody.example`;
    const address = newAddress();

    const codes = await codesOf(PER_ACCOUNT + 1, () => world.logIn(email.toUpperCase(), 'guess', address));
    const { status, headers } = await world.logIn(email, 'guess', address);

    expect(codes).toEqual([...wrong(PER_ACCOUNT), 'RATE_LIMITED']);
    expect([status, headers['ratelimit-limit'], headers['ratelimit-remaining']]).toEqual([
      429,
      `${PER_ACCOUNT}`,
      '0',
    ]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(60);
  });

  test('at its limit refuses even the right password', async () => {
    const { email, password } = await world.account();
    const address = newAddress();
    await codesOf(PER_ACCOUNT, () => world.logIn(email, 'guess', address));

    expect((await world.logIn(email, password, address)).code).toBe('RATE_LIMITED');
  });

  test('is counted exactly across concurrent requests and two replicas', async () => {
    const second = await startGateway({ ...world.env, MIGRATE_ON_START: 'false' });
    const { email } = await world.account();
    const address = newAddress();
    const tries = Array.from({ length: 20 }, (_, index) =>
      world.post(
        '/v1/auth/login',
        { email, password: 'guess' },
        address,
        index % 2 === 0 ? world.gateway.url : second.url,
      ),
    );

    const codes = (await Promise.all(tries)).map(({ code }) => code);

    expect(codes.filter((code) => code === 'INVALID_CREDENTIALS')).toHaveLength(PER_ACCOUNT);
    await second.stop();
  });

  test('of many accounts is limited for that address only', async () => {
    const address = newAddress();
    const anybody = () => world.logIn(`${newId()}@nobody.example`, 'guess', address);

    const codes = await codesOf(PER_ADDRESS + 1, anybody);

    expect(codes).toEqual([...wrong(PER_ADDRESS), 'RATE_LIMITED']);
    const { email, password } = await world.account();
    expect((await world.logIn(email, password, newAddress())).status).toBe(200);
  });

  test('of an operator has a limit of its own', async () => {
    const address = newAddress();
    const guess = () =>
      world.post('/v1/admin/auth/login', { email: OPERATOR.email, password: 'guess password' }, address);

    const codes = await codesOf(PER_ACCOUNT + 1, guess);

    expect(codes).toEqual([...wrong(PER_ACCOUNT), 'RATE_LIMITED']);
    expect((await world.logIn(OPERATOR.email, 'guess', address)).code).toBe('INVALID_CREDENTIALS');
  });
});

describe('the owner of an account', () => {
  test('gets a new count after a successful log-in', async () => {
    const { email, password } = await world.account();
    const address = newAddress();
    for (let round = 0; round < 3; round += 1) {
      await codesOf(PER_ACCOUNT - 1, () => world.logIn(email, 'typo', address));
      expect((await world.logIn(email, password, address)).status).toBe(200);
      await eventually(async () => expect(await world.countsOf(`${address} ${email}`)).toEqual([]));
    }
  });

  test('logs in from a recognized address despite strangers’ guesses elsewhere', async () => {
    const { email, password } = await world.account();
    const home = newAddress();
    await world.logIn(email, password, home);
    await eventually(async () => expect(await world.countsOf(`${home} ${email}`, 'known')).toEqual([1]));
    for (let stranger = 0; stranger < 10; stranger += 1) {
      const address = newAddress();
      await codesOf(PER_ACCOUNT, () => world.logIn(email, 'guess', address));
    }

    const elsewhere = await world.logIn(email, password, newAddress());
    const atHome = await world.logIn(email, password, home);

    expect([elsewhere.code, atHome.status]).toEqual(['RATE_LIMITED', 200]);
  });
});

test('a session changes its password despite strangers’ failed log-ins', async () => {
  const { email, password } = await world.account();
  const { json } = await world.logIn(email, password, newAddress());
  const { accessToken } = api.logIn.data.parse(json.data);
  const address = newAddress();
  await codesOf(PER_ADDRESS, () => world.logIn(`${newId()}@nobody.example`, 'guess', address));
  for (let stranger = 0; stranger < 10; stranger += 1) {
    const elsewhere = newAddress();
    await codesOf(PER_ACCOUNT, () => world.logIn(email, 'guess', elsewhere));
  }

  const { code } = await send(`${world.gateway.url}/v1/auth/password`, {
    method: 'POST',
    body: { currentPassword: password, newPassword: 'outra senha segura' },
    headers: { 'x-forwarded-for': address, authorization: `Bearer ${accessToken}` },
  });

  expect([(await world.logIn(email, password, address)).code, code]).toEqual(['RATE_LIMITED', '']);
});

describe('a device with the token of its last log-in', () => {
  const logInFrom = (email: string, password: string, address: string, token: string) =>
    send(`${world.gateway.url}/v1/auth/login`, {
      method: 'POST',
      body: { email, password },
      headers: { 'x-forwarded-for': address, 'x-device-token': token },
    });
  const tokenOf = async ({ email, password }: { email: string; password: string }) =>
    api.logIn.data.parse((await world.logIn(email, password, newAddress())).json.data).deviceToken;

  test('logs in despite strangers’ guesses at its address and elsewhere', async () => {
    const owner = await world.account();
    const token = await tokenOf(owner);
    const address = newAddress();
    await codesOf(PER_ADDRESS, () => world.logIn(`${newId()}@nobody.example`, 'guess', address));
    for (let stranger = 0; stranger < 10; stranger += 1) {
      const elsewhere = newAddress();
      await codesOf(PER_ACCOUNT, () => world.logIn(owner.email, 'guess', elsewhere));
    }

    const without = await world.logIn(owner.email, owner.password, address);
    const { status, json } = await logInFrom(owner.email, owner.password, address, token);

    expect([without.code, status]).toEqual(['RATE_LIMITED', 200]);
    // The new token names the same device, whose failed attempts share one count. The gateway resets this
    // count after it has sent the response.
    const next = api.logIn.data.parse(json.data).deviceToken;
    const { device } = z.object({ device: z.string() }).parse(jwt.decode(next));
    await eventually(async () => expect(await world.countsOf(`device ${device} ${owner.email}`)).toEqual([]));
    const codes = await codesOf(PER_ACCOUNT + 1, () => logInFrom(owner.email, 'guess', newAddress(), next));
    expect(codes).toEqual([...wrong(PER_ACCOUNT), 'RATE_LIMITED']);
    expect((await logInFrom(owner.email, owner.password, newAddress(), token)).code).toBe('RATE_LIMITED');
  });

  test('shares its limit with all recognized devices of its network', async () => {
    const address = newAddress();
    const owners = await Promise.all(Array.from({ length: 5 }, world.account));
    const codes: string[] = [];
    for (const owner of owners) {
      const token = await tokenOf(owner);
      const enter = () => logInFrom(owner.email, owner.password, address, token);
      codes.push(...(await codesOf(PER_ADDRESS * 2 + 1, enter)));
    }

    expect(codes.slice(0, PER_ADDRESS * 10)).not.toContain('RATE_LIMITED');
    expect(codes.slice(PER_ADDRESS * 10)).toEqual(codes.slice(PER_ADDRESS * 10).map(() => 'RATE_LIMITED'));
  });

  test.each(['another account', 'an operator', 'a forger'])(
    'of %s is treated as a stranger',
    async (whose) => {
      const owner = await world.account();
      const tokens: Record<string, () => Promise<string>> = {
        'another account': async () => tokenOf(await world.account()),
        'an operator': async () => {
          const { json } = await world.logInOperator({ headers: { 'x-forwarded-for': newAddress() } });
          return api.logInOperator.data.parse(json.data).deviceToken;
        },
        'a forger': async () => 'x.y.z',
      };
      const token = (await tokens[whose]?.()) ?? '';
      const address = newAddress();
      await codesOf(PER_ADDRESS, () => world.logIn(`${newId()}@nobody.example`, 'guess', address));

      expect((await logInFrom(owner.email, owner.password, address, token)).code).toBe('RATE_LIMITED');
    },
  );

  test('gets no access with that token', async () => {
    const authorization = `Bearer ${await tokenOf(await world.account())}`;

    const answers = await Promise.all(
      ['/v1/account', '/v1/admin/merchants'].map((path) =>
        send(world.gateway.url + path, { headers: { authorization } }),
      ),
    );

    expect(answers.map(({ code }) => code)).toEqual(['INVALID_TOKEN', 'INVALID_TOKEN']);
  });
});

describe('an address', () => {
  test('has a limit of registrations', async () => {
    const address = newAddress();

    const codes = await codesOf(PER_ADDRESS + 1, () => world.post('/v1/auth/register', {}, address));

    expect(codes).toEqual([...codes.slice(1).map(() => 'VALIDATION_ERROR'), 'RATE_LIMITED']);
  });

  test('has a limit of guessed refresh tokens', async () => {
    const address = newAddress();
    const guess = () => world.post('/v1/auth/refresh', { refreshToken: newId() }, address);

    const codes = await codesOf(PER_ADDRESS + 1, guess);

    expect(codes).toEqual([...codes.slice(1).map(() => 'INVALID_REFRESH_TOKEN'), 'RATE_LIMITED']);
  });

  test('refreshes a valid token despite guesses from there', async () => {
    const address = newAddress();
    const { email, password } = await world.account();
    const { json } = await world.logIn(email, password, newAddress());
    const { refreshToken } = Object(json.data);
    const refresh = (token: string) => world.post('/v1/auth/refresh', { refreshToken: token }, address);
    await codesOf(PER_ADDRESS + 1, () => refresh(newId()));

    expect(await codesOf(PER_ADDRESS + 1, () => refresh(refreshToken))).toEqual(
      Array(PER_ADDRESS + 1).fill(''),
    );
    expect((await refresh(newId())).code).toBe('RATE_LIMITED');
  });
});

describe('the counters of log-ins', () => {
  test('contain no e-mail or address, and expired ones are deleted', async () => {
    const rows = await world.database.query<{ key: string }>('SELECT key FROM rate_counters');

    await pruneRateCounters(world.database, new Date(Date.now() + 20 * 60_000));

    const left = await world.database.query<{ key: string }>('SELECT key FROM rate_counters');
    expect(rows.length).toBeGreaterThan(left.length);
    for (const { key } of rows) expect(key).toMatch(/^[\w/ -]+:[0-9a-f]{64}$/);
    expect(left.every(({ key }) => key.includes(' known:'))).toBe(true);
  });

  test('refuse log-ins when they are unavailable', async () => {
    const { email, password } = await world.account();
    await world.database.query('ALTER TABLE rate_counters RENAME TO elsewhere');

    const { status } = await world.logIn(email, password, newAddress());

    await world.database.query('ALTER TABLE elsewhere RENAME TO rate_counters');
    expect(status).toBe(500);
  });
});

describe('the networks of an IPv6 /48', () => {
  test.each([
    ['registrations', '/v1/auth/register', {}, 'VALIDATION_ERROR', '2001:db8:a'],
    [
      'refresh tokens',
      '/v1/auth/refresh',
      { refreshToken: 'invented' },
      'INVALID_REFRESH_TOKEN',
      '2001:db8:b',
    ],
  ])('together have a limit of %s', async (_name, path, body, refused, site) => {
    const most = 27 * PER_ADDRESS;
    let networks = 0;
    const next = () => {
      networks += 1;
      return world.post(path, body, `${site}:${networks.toString(16)}::1`);
    };

    const codes = new Set<string>();
    for (let tried = 0; tried < most; tried += 1) codes.add((await next()).code);

    expect(codes).toEqual(new Set([refused]));
    expect((await next()).code).toBe('RATE_LIMITED');
    expect((await world.post(path, body, '2001:db8:c:1::1')).code).toBe(refused);
  });
});
