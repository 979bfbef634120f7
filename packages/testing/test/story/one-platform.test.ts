import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { firstIdOf } from '@plataforma/kernel';
import { eventually, rowsAt } from '../../src/index.ts';
import { testCanary } from './canary.ts';
import { testFirstCharge } from './first-charge.ts';
import { testMatrix } from './matrix.ts';
import { testMoneyIn } from './money-in.ts';
import { testMoneyOut } from './money-out.ts';
import { testMovedClock } from './moved-clock.ts';
import { testProviderFaults } from './provider-faults.ts';
import { type Cast, startCast } from './world.ts';

let world: Cast;
let stopping: Promise<void> | undefined;

beforeAll(async () => {
  world = await startCast({ logLevel: 'debug' });
});

afterAll(() => stopping ?? world?.stop());

// The order of the tests matters, because the rows of later tests would appear in the lists that earlier
// tests read.
describe('personal data and secrets', () => testCanary(() => world));
describe('the first paid charge', () => testFirstCharge(() => world));
describe('access of every caller to every endpoint', () => testMatrix(() => world));
describe('money in', () => testMoneyIn(() => world));
describe('money out', () => testMoneyOut(() => world));
describe('provider faults', () => testProviderFaults(() => world));
describe('the clock of a sandbox', () => testMovedClock(() => world));

const ofService = {
  gateway: ['charges', 'ledger', 'webhooks', 'withdrawals'],
  charges: ['ledger', 'webhooks'],
  withdrawals: ['ledger', 'webhooks'],
  ledger: ['webhooks'],
};

test('services compare their events with all subscribers, which lack none', async () => {
  const recent = firstIdOf(new Date(Date.now() - 1_800_000));
  const read = async (name: keyof typeof ofService, sql: string, ...values: string[]) =>
    (await rowsAt(world.platform.databaseUrls[name], sql, values)).map(({ subscriber }) => subscriber);
  const compared = 'SELECT subscriber FROM compared_subscribers WHERE position > $1 ORDER BY subscriber';
  const lacking = 'SELECT subscriber FROM missing_events WHERE published_again > 0';

  for (const name of ['gateway', 'charges', 'withdrawals', 'ledger'] as const) {
    await eventually(async () => expect(await read(name, compared, recent)).toEqual(ofService[name]));
    expect(await read(name, lacking)).toEqual([]);
  }
});

// A process exits with code 1 if its stop takes more than ten seconds.
test('a stopped platform ends all processes with exit code 0', async () => {
  const codes = () =>
    Object.values(world.platform.replicas).flatMap((all) => all.map(({ exitCode }) => exitCode));

  stopping = world.stop();

  await eventually(() => expect(codes()).toEqual(new Array(11).fill(0)));
  await stopping;
});
