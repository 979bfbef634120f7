import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { startGateway } from '../src/service.ts';
import { createTokens } from '../src/tokens.ts';
import { auditOf, operatorAs } from './support/operators.ts';
import { send, sendLogIn } from './support/send.ts';
import { startWorld, type World } from './support/world.ts';

const PER_ACCOUNT = 3;
const FIRST = 'senha segura';

let world: World;
let replica: Awaited<ReturnType<typeof startGateway>>;

beforeAll(async () => {
  world = await startWorld({
    settings: { LOGIN_LIMIT_PER_ACCOUNT: `${PER_ACCOUNT}`, TRUSTED_PROXIES: '127.0.0.1' },
  });
  replica = await startGateway({ ...world.env, MIGRATE_ON_START: 'false' });
});
afterAll(async () => {
  await replica.stop();
  await world.stop();
});

let hosts = 0;
const newAddress = () => {
  hosts += 1;
  return { 'x-forwarded-for': `203.0.113.${hosts}` };
};

async function operator() {
  const { id, headers, login } = await operatorAs(world, 'SUPPORT');
  return { id, login, email: login.email, headers: { ...headers, ...newAddress() } };
}
type Operator = Awaited<ReturnType<typeof operator>>;

const change = ({ headers }: Operator, currentPassword: string, newPassword: unknown) =>
  world.post('/v1/admin/auth/password', { currentPassword, newPassword }, headers);
const logIn = ({ login, headers }: Operator, password: string) => {
  const address = { 'x-forwarded-for': headers['x-forwarded-for'] };
  return sendLogIn((body) => world.post('/v1/admin/auth/login', body, address), { ...login, password });
};
const reads = async (authorization: string, url = world.gateway.url) => {
  const { status, code } = await send(`${url}/v1/admin/merchants`, { headers: { authorization } });
  return `${status} ${code}`;
};
const hashOf = async ({ id }: Operator) =>
  (await world.database.query('SELECT password_hash FROM operators WHERE id = $1', [id]))[0]?.password_hash;

describe('an operator’s password change', () => {
  test('replaces all earlier tokens by a new one on every replica', async () => {
    const own = await operator();
    const elsewhere = createTokens(world.gatewayKeys.privateKey).forOperator({
      ...{ sub: own.id, role: 'SUPPORT' },
      ...{ passwordVersion: 0, factorAt: null },
    });
    const urls = [world.gateway.url, replica.url];
    for (const url of urls) expect(await reads(own.headers.authorization, url)).toBe('200 ');

    const { status, json } = await change(own, FIRST, 'a second password');

    const { accessToken } = api.changeOperatorPassword.data.parse(json.data);
    expect(status).toBe(200);
    for (const url of urls) expect(await reads(`Bearer ${accessToken}`, url)).toBe('200 ');
    for (const url of urls) {
      for (const old of [own.headers.authorization, `Bearer ${elsewhere}`]) {
        await eventually(async () => expect(await reads(old, url)).toBe('401 INVALID_TOKEN'));
      }
    }
    for (const url of urls) expect(await reads(`Bearer ${accessToken}`, url)).toBe('200 ');
  });

  test('leaves only the new password for log-ins', async () => {
    const own = await operator();
    await change(own, FIRST, 'a second password');

    expect((await logIn(own, FIRST)).code).toBe('INVALID_CREDENTIALS');
    const { json } = await logIn(own, 'a second password');

    const { accessToken } = api.logInOperator.data.parse(json.data);
    expect(await reads(`Bearer ${accessToken}`)).toBe('200 ');
  });

  test('is audited without either password', async () => {
    const own = await operator();
    const canary = `canary-${newId()}`;

    await change(own, FIRST, canary);

    expect(await auditOf(world, own.id)).toMatchObject([
      { operator_id: own.id, action: 'operator.change_password', before: {}, after: {}, reason: null },
    ]);
    const tables = ['operators', 'audit_log', 'outbox', 'idempotency_keys', 'rate_counters'];
    const rows = await Promise.all(tables.map((name) => world.database.query(`SELECT * FROM ${name}`)));
    expect(JSON.stringify(rows)).toContain(own.id);
    expect(JSON.stringify(rows)).not.toContain(canary);
    expect(await hashOf(own)).toMatch(/^\$argon2id\$/);
  });

  test('hashes with 19 MiB and two passes by default', async () => {
    const own = await operator();

    await send(`${replica.url}/v1/admin/auth/password`, {
      method: 'POST',
      headers: own.headers,
      body: { currentPassword: FIRST, newPassword: 'a second password' },
    });

    expect(await hashOf(own)).toMatch(/^\$argon2id\$v=19\$m=19456,p=1,t=2\$/);
  });

  test.each<[string, string, unknown, string]>([
    ['is short', FIRST, '12345678901', 'newPassword: must have at least 12 characters'],
    ['is missing', FIRST, undefined, 'newPassword: is required'],
    ['is the current one', FIRST, FIRST, 'newPassword: must be another one than currentPassword'],
    ['is given without the current one', '', 'a second password', 'currentPassword: is required'],
  ])('refuses a new password that %s', async (_what, current, next, message) => {
    const own = await operator();
    const before = await hashOf(own);

    const { status, json } = await change(own, current, next);

    expect([status, json.error]).toEqual([400, { code: 'VALIDATION_ERROR', message }]);
    expect([await hashOf(own), await auditOf(world, own.id)]).toEqual([before, []]);
  });
});

describe('a wrong current password', () => {
  test('fails like a log-in and changes nothing', async () => {
    const own = await operator();
    const before = await hashOf(own);

    const refused = await change(own, 'not the password', 'a second password');

    const failed = await guessAt(own);
    expect([refused.status, refused.text]).toEqual([401, failed.text]);
    expect([await hashOf(own), await auditOf(world, own.id)]).toEqual([before, []]);
    expect(await reads(own.headers.authorization)).toBe('200 ');
  });

  test('counts toward the limit of failed log-ins', async () => {
    const [first, second] = [await operator(), await operator()];
    const guess = (own: Operator) => change(own, 'not the password', 'a second password');
    const codes: string[] = [];

    for (let tried = 0; tried < PER_ACCOUNT; tried += 1) codes.push((await guess(first)).code);
    const limited = await change(first, FIRST, 'a second password');
    const atLogIn = await guessAt(first);
    for (let tried = 0; tried < PER_ACCOUNT; tried += 1) codes.push((await guessAt(second)).code);
    const after = await guess(second);

    expect(codes).toEqual(Array(2 * PER_ACCOUNT).fill('INVALID_CREDENTIALS'));
    expect([limited, atLogIn, after].map(({ code }) => code)).toEqual(Array(3).fill('RATE_LIMITED'));
    expect([limited.status, Number(limited.headers['retry-after']) > 60]).toEqual([429, true]);
  });

  test('is not counted after a success', async () => {
    const own = await operator();
    let current = FIRST;
    for (let round = 0; round < PER_ACCOUNT; round += 1) {
      await change(own, 'typo', 'a second password');
      const next = `password number ${round}`;

      const { status, json } = await change(own, current, next);

      expect(status).toBe(200);
      const { accessToken } = api.changeOperatorPassword.data.parse(json.data);
      own.headers.authorization = `Bearer ${accessToken}`;
      current = next;
      await eventually(async () => expect(await triesOf(own)).toEqual([]));
    }
  });
});

/** Sends a log-in without a code. The gateway requires a code only after the correct password. */
const guessAt = ({ email, headers }: Operator) => {
  const address = { 'x-forwarded-for': headers['x-forwarded-for'] };
  return world.post('/v1/admin/auth/login', { email, password: 'not the password' }, address);
};

/** Returns the counts of an operator's attempts from the address of the test. */
async function triesOf({ email, headers }: Operator): Promise<number[]> {
  const rows = await world.database.query<{ points: number }>(
    "SELECT points FROM rate_counters WHERE key = $1 || ':' || encode(sha256(convert_to($2, 'UTF8')), 'hex')",
    ['/v1/admin/auth/login pair', `${headers['x-forwarded-for']} ${email}`],
  );
  return rows.map(({ points }) => points);
}
