import { afterAll, beforeAll, describe } from '@jest/globals';
import { tellAccount } from './stories/account.ts';
import { tellFrame } from './stories/frame.ts';
import { tellPages } from './stories/pages.ts';
import { type BrowserWorld, startBrowserWorld } from './support/browser-world.ts';

let world: BrowserWorld;

beforeAll(async () => {
  world = await startBrowserWorld();
});

afterAll(() => world?.stop());

// In this order: the first one finds no webhook and no saved destination.
describe('pages of the dashboard', () => tellPages(() => world));
describe('the frame around them', () => tellFrame(() => world));
describe('an account', () => tellAccount(() => world));
