import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { startGateway } from '../src/service.ts';
import { send } from './support/send.ts';
import { OPERATOR, registration, startWorld, type World } from './support/world.ts';

/** Ten for each that may fail. */
const OF_ACCOUNT = 30;
const OF_ADDRESS = 40;

let world: World;
let second: Awaited<ReturnType<typeof startGateway>>;

beforeAll(async () => {
  world = await startWorld({
    settings: {
      LOGIN_LIMIT_PER_ACCOUNT: `${OF_ACCOUNT / 10}`,
      LOGIN_LIMIT_PER_ADDRESS: `${OF_ADDRESS / 10}`,
      TRUSTED_PROXIES: '127.0.0.1',
    },
  });
  second = await startGateway({ ...world.env, MIGRATE_ON_START: 'false' });
});
afterAll(async () => {
  await second.stop();
  await world.stop();
});

let hosts = 0;
function newAddress(): string {
  hosts += 1;
  return `203.0.113.${hosts}`;
}

interface Account {
  email: string;
  password: string;
}

async function account(): Promise<Account> {
  const wanted = registration();
  const headers = { 'x-forwarded-for': newAddress() };
  await world.call('/v1/auth/register', { method: 'POST', body: wanted, headers });
  return { email: wanted.email, password: wanted.password };
}

interface LogIns {
  count: number;
  path?: string;
}

/** On two replicas, one after the other: the one address at the one account has a single try at once. */
async function logIns(body: Account, address: string, { count, path = '/v1/auth/login' }: LogIns) {
  const statuses: number[] = [];
  for (let done = 0; done < count; done += 1) {
    const { url } = done % 2 === 0 ? world.gateway : second;
    const headers = { 'x-forwarded-for': address };
    const before = await failures();
    const { status } = await send(`${url}${path}`, { method: 'POST', body, headers });
    // A success counts as a failure until a moment after its answer.
    if (status === 200) await eventually(async () => expect(await failures()).toBe(before));
    statuses.push(status);
  }
  return statuses;
}

/** What counts against those who may fail, of all addresses and accounts. */
async function failures(): Promise<number> {
  const [row] = await world.database.query<{ points: number }>(
    `SELECT coalesce(sum(points), 0)::int AS points FROM rate_counters
    WHERE key ~ '^/v1/(admin/)?auth/login (address|pair|e-mail):'`,
  );
  return row?.points ?? 0;
}

const all = (status: number, count: number) => Array.from({ length: count }, () => status);

test.each(['a merchant', 'an operator'])(
  '%s who gets in has only so many log-ins from one address, and others from elsewhere',
  async (who) => {
    const path = who === 'a merchant' ? '/v1/auth/login' : '/v1/admin/auth/login';
    const owner = who === 'a merchant' ? await account() : OPERATOR;

    const statuses = await logIns(owner, newAddress(), { count: OF_ACCOUNT + 1, path });

    expect(statuses).toEqual([...all(200, OF_ACCOUNT), 429]);
    expect(await logIns(owner, newAddress(), { count: 1, path })).toEqual([200]);
  },
);

test('an address has only so many log-ins that succeed, at whatever accounts', async () => {
  const address = newAddress();
  const [one, other] = [await account(), await account()];

  const ofOne = await logIns(one, address, { count: OF_ACCOUNT - 10 });
  const ofOther = await logIns(other, address, { count: OF_ADDRESS - OF_ACCOUNT + 11 });

  expect([...ofOne, ...ofOther]).toEqual([...all(200, OF_ADDRESS), 429]);
  expect(await logIns(other, newAddress(), { count: 1 })).toEqual([200]);
});
