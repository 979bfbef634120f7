import { beforeAll, expect, test } from '@jest/globals';
import { totpCode, totpStepAt } from '@plataforma/kernel/totp';
import { eventually, type OperatorLogin } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { type Account, newAddress, startLogInWorld } from './support/log-ins.ts';
import { type Answered, send, sendLogIn } from './support/send.ts';
import { OPERATOR } from './support/world.ts';

/** The allowed successful log-ins: ten times the allowed failures. */
const OF_ACCOUNT = 30;
const OF_ADDRESS = 40;

const world = worldOfFile(() =>
  startLogInWorld({ perAccount: OF_ACCOUNT / 10, perAddress: OF_ADDRESS / 10 }),
);
const operator: OperatorLogin = { ...OPERATOR };
beforeAll(() => sendLogIn((body) => world.post('/v1/admin/auth/login', body, newAddress()), operator));
const second = beforeFile(() => world.startReplica());

interface LogIns {
  count: number;
  path?: string;
}

/**
 * Logs in at two replicas alternately. The requests run one after the other, because an address may have only
 * one attempt at a time.
 */
async function logIns(body: Account, address: string, { count, path = '/v1/auth/login' }: LogIns) {
  const statuses: number[] = [];
  for (let done = 0; done < count; done += 1) {
    const { url } = done % 2 === 0 ? world.gateway : second;
    const headers = { 'x-forwarded-for': address };
    const before = await failures();
    const { status } = await logInAt(`${url}${path}`, body, headers);
    // The gateway subtracts a success from the count of failures after it has sent the response.
    if (status === 200) await eventually(async () => expect(await failures()).toBe(before));
    statuses.push(status);
  }
  return statuses;
}

/** Logs in. Makes the code of an operator's earlier log-in valid again, because too few codes exist. */
async function logInAt(url: string, body: Account, headers: Record<string, string>): Promise<Answered> {
  const isOperator = url.includes('/admin/');
  if (isOperator) await world.database.query('UPDATE operator_factors SET last_step = 0');
  const otp = isOperator && { otp: totpCode(`${operator.totpSecret}`, totpStepAt(new Date())) };
  return send(url, { method: 'POST', body: { ...body, ...otp }, headers });
}

/** Returns the total of the counted log-in failures of all addresses and accounts. */
async function failures(): Promise<number> {
  const [row] = await world.database.query<{ points: number }>(
    `SELECT coalesce(sum(points), 0)::int AS points FROM rate_counters
    WHERE key ~ '^/v1/(admin/)?auth/login (address|pair|e-mail):'`,
  );
  return row?.points ?? 0;
}

const all = (status: number, count: number) => Array.from({ length: count }, () => status);

test.each(['a merchant', 'an operator'])(
  '%s has a limit of successful log-ins for each address',
  async (who) => {
    const path = who === 'a merchant' ? '/v1/auth/login' : '/v1/admin/auth/login';
    const owner = who === 'a merchant' ? await world.account() : operator;

    const statuses = await logIns(owner, newAddress(), { count: OF_ACCOUNT + 1, path });

    expect(statuses).toEqual([...all(200, OF_ACCOUNT), 429]);
    expect(await logIns(owner, newAddress(), { count: 1, path })).toEqual([200]);
  },
);

test('an address has a limit of successful log-ins for all accounts', async () => {
  const address = newAddress();
  const [one, other] = [await world.account(), await world.account()];

  const ofOne = await logIns(one, address, { count: OF_ACCOUNT - 10 });
  const ofOther = await logIns(other, address, { count: OF_ADDRESS - OF_ACCOUNT + 11 });

  expect([...ofOne, ...ofOther]).toEqual([...all(200, OF_ADDRESS), 429]);
  expect(await logIns(other, newAddress(), { count: 1 })).toEqual([200]);
});
