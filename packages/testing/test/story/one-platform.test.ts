import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../src/index.ts';
import { tellCanary } from './canary.ts';
import { tellFirstCharge } from './first-charge.ts';
import { tellMatrix } from './matrix.ts';
import { tellMoneyIn } from './money-in.ts';
import { tellMoneyOut } from './money-out.ts';
import { tellMovedClock } from './moved-clock.ts';
import { tellWeather } from './weather.ts';
import { type Cast, startCast } from './world.ts';

let world: Cast;
let stopping: Promise<void> | undefined;

beforeAll(async () => {
  world = await startCast({ logLevel: 'debug' });
});

afterAll(() => stopping ?? world?.stop());

// In this order: the later ones leave behind what the earlier ones’ lists would show.
describe('what the platform knows of people and secrets', () => tellCanary(() => world));
describe('the first paid charge', () => tellFirstCharge(() => world));
describe('who may do what', () => tellMatrix(() => world));
describe('money in', () => tellMoneyIn(() => world));
describe('money out', () => tellMoneyOut(() => world));
describe('provider weather', () => tellWeather(() => world));
describe('the clock of a sandbox', () => tellMovedClock(() => world));

// A process that takes longer than ten seconds gives its own stop up, and ends with 1.
test('a platform that is told to stop ends each of its processes by itself, soon, with 0', async () => {
  const codes = () =>
    Object.values(world.platform.replicas).flatMap((all) => all.map(({ exitCode }) => exitCode));

  stopping = world.stop();

  await eventually(() => expect(codes()).toEqual(new Array(11).fill(0)));
  await stopping;
}, 120_000);
