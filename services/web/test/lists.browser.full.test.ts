import { afterAll, beforeAll, describe } from '@jest/globals';
import { tellDays } from './stories/days.ts';
import { tellExactness } from './stories/exactness.ts';
import { tellExporting } from './stories/exporting.ts';
import { tellPaging } from './stories/paging.ts';
import { type BrowserWorld, startBrowserWorld } from './support/browser-world.ts';

let world: BrowserWorld;

beforeAll(async () => {
  world = await startBrowserWorld();
});

afterAll(() => world?.stop());

describe('pages of lists', () => tellPaging(() => world));
describe('a list as a file', () => tellExporting(() => world));
describe('what a merchant reads and types', () => tellExactness(() => world));
// Last: it moves the sandbox's clock.
describe('days of the account', () => tellDays(() => world));
