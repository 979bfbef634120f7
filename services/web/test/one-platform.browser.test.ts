import { afterAll, beforeAll, describe } from '@jest/globals';
import { tellBuyer } from './stories/buyer.ts';
import { tellDashboard } from './stories/dashboard.ts';
import { tellLogIn } from './stories/log-in.ts';
import { type BrowserWorld, startBrowserWorld } from './support/browser-world.ts';

let world: BrowserWorld;

beforeAll(async () => {
  world = await startBrowserWorld();
});

afterAll(() => world?.stop());

// All other stories in a browser belong to the long tier.
describe('the log-in', () => tellLogIn(() => world));
describe('a buyer', () => tellBuyer(() => world));
describe('what a merchant does', () => tellDashboard(() => world));
