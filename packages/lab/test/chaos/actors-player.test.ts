import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Bank, type Loopback, startLoopback } from '@plataforma/testing';
import { Pool } from 'undici';
import { allActs } from '../../src/chaos/actors/acts/all.ts';
import { clientOf } from '../../src/chaos/actors/client.ts';
import { playersOf } from '../../src/chaos/actors/company.ts';
import { fixed, renewable } from '../../src/chaos/actors/credentials.ts';
import { headersOfKey, type Merchant } from '../../src/chaos/actors/merchants.ts';
import { paceOf } from '../../src/chaos/actors/pace.ts';
import { deal } from '../../src/chaos/actors/player.ts';
import { openShops, type Shops } from '../../src/chaos/actors/shops.ts';
import { diceOf } from '../../src/chaos/dice.ts';
import { openHistory } from '../../src/chaos/history.ts';

const ROUNDS = 12;
const nobodyPays: Bank = {
  control: () => Promise.reject(new Error('closed')),
  breaks: async () => undefined,
  heals: async () => undefined,
  truth: () => Promise.reject(new Error('closed')),
};

let platform: Loopback;
let pool: Pool;
let shops: Shops;

beforeEach(async () => {
  platform = await startLoopback(async (request, response) => {
    request.resume();
    response.writeHead(404).end('{"success":false,"error":{"code":"NOT_FOUND","message":"no"}}');
  });
  pool = new Pool(platform.url);
  shops = await openShops(diceOf(7));
});

afterEach(async () => {
  await pool.destroy();
  await shops.stop();
  await platform.stop();
});

/** Returns the requests that clients of two merchants send to a platform which refuses everything. */
async function triedWith(seed: number): Promise<string[]> {
  const history = openHistory();
  const line = { pool, history, pace: paceOf(10_000) };
  const merchants = [1, 2].map((number): Merchant => {
    const client = clientOf(line, `merchant ${number}`, fixed());
    const first = { id: `key-${number}`, key: 'sk' };
    const ring = renewable(first, { headersOf: headersOfKey, obtain: async () => null });
    return {
      name: `merchant ${number}`,
      id: `merchant-${number}`,
      dashboard: client,
      api: { sandbox: client, production: client },
      keys: { sandbox: ring, production: ring },
      untouched: new Set(),
    };
  });
  const operator = clientOf(line, 'operator 1', fixed());
  const cast = { merchants, operators: [operator, operator] as const, bank: nobodyPays, shops };
  for (const player of playersOf({ ...cast, dice: diceOf(seed), clientsPerMerchant: 2 })) {
    for (let round = 0; round < ROUNDS; round += 1) await player.play();
  }
  return history.calls
    .filter(({ method }) => method !== 'GET')
    .map(({ actor, action, intent, path }) => [actor, action, intent, path].join(' '));
}

describe('the actions of clients', () => {
  test('repeat for the same seed only', async () => {
    const tried = await triedWith(7);

    expect(tried.length).toBeGreaterThan(ROUNDS);
    expect(await triedWith(7)).toEqual(tried);
    expect(await triedWith(8)).not.toEqual(tried);
  });

  test('are distributed evenly, each to one client', () => {
    const hands = deal(allActs, 12, diceOf(7));

    expect(
      hands
        .flat()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(allActs.map(({ name }) => name).sort());
    expect(new Set(hands.map(({ length }) => length)).size).toBeLessThanOrEqual(2);
    expect(new Set(allActs.map(({ name }) => name)).size).toBe(allActs.length);
  });
});
