import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../src/index.ts';
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

// A process exits with code 1 if its stop takes more than ten seconds.
test('a stopped platform ends all processes with exit code 0', async () => {
  const codes = () =>
    Object.values(world.platform.replicas).flatMap((all) => all.map(({ exitCode }) => exitCode));

  stopping = world.stop();

  await eventually(() => expect(codes()).toEqual(new Array(11).fill(0)));
  await stopping;
});
