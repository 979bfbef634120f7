import { afterAll, beforeAll, describe } from '@jest/globals';
import { tellFirstCharge } from './first-charge.ts';
import { tellMatrix } from './matrix.ts';
import { tellMoneyIn } from './money-in.ts';
import { type Cast, startCast } from './world.ts';

let world: Cast;

beforeAll(async () => {
  world = await startCast();
});

afterAll(() => world?.stop());

// In this order: the later ones leave behind what the earlier ones’ lists would show.
describe('the first paid charge', () => tellFirstCharge(() => world));
describe('who may do what', () => tellMatrix(() => world));
describe('money in', () => tellMoneyIn(() => world));
