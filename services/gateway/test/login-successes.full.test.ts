import { expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { type Account, newAddress, startLogInWorld } from './support/log-ins.ts';
import { send } from './support/send.ts';
import { OPERATOR } from './support/world.ts';

/** The allowed successful log-ins: ten times the allowed failures. */
const OF_ACCOUNT = 30;
const OF_ADDRESS = 40;

const world = worldOfFile(() =>
  startLogInWorld({ perAccount: OF_ACCOUNT / 10, perAddress: OF_ADDRESS / 10 }),
);
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
    const { status } = await send(`${url}${path}`, { method: 'POST', body, headers });
    // The gateway subtracts a success from the count of failures after it has sent the response.
    if (status === 200) await eventually(async () => expect(await failures()).toBe(before));
    statuses.push(status);
  }
  return statuses;
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
    const owner = who === 'a merchant' ? await world.account() : OPERATOR;

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
