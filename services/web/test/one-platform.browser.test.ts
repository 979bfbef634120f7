import { afterAll, beforeAll, describe } from '@jest/globals';
import { tellAccount } from './stories/account.ts';
import { tellDashboard } from './stories/dashboard.ts';
import { tellFrame } from './stories/frame.ts';
import { tellLogIn } from './stories/log-in.ts';
import { tellPages } from './stories/pages.ts';
import { type BrowserWorld, startBrowserWorld } from './support/browser-world.ts';

let world: BrowserWorld;

beforeAll(async () => {
  world = await startBrowserWorld();
});

afterAll(() => world?.stop());

// In this order: the first ones find no webhook and no saved destination, which the last ones leave behind.
describe('the log-in', () => tellLogIn(() => world));
describe('pages of the dashboard', () => tellPages(() => world));
describe('the frame around them', () => tellFrame(() => world));
describe('an account', () => tellAccount(() => world));
describe('what a merchant does', () => tellDashboard(() => world));
