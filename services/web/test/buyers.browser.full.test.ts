import { afterAll, beforeAll, describe } from '@jest/globals';
import { tellCopying } from './stories/copying.ts';
import { tellCrowd } from './stories/crowd.ts';
import { tellLinks } from './stories/links.ts';
import { tellPasting } from './stories/pasting.ts';
import { tellPhones } from './stories/phones.ts';
import { tellScan } from './stories/scan.ts';
import { type BrowserWorld, startBrowserWorld } from './support/browser-world.ts';

let world: BrowserWorld;

beforeAll(async () => {
  world = await startBrowserWorld();
});

afterAll(() => world?.stop());

// The last ones leave saved destinations behind.
describe('a code before the camera', () => tellScan(() => world));
describe('a payment link', () => tellLinks(() => world));
describe('a crowd at a link', () => tellCrowd(() => world));
describe('a browser without a clipboard', () => tellCopying(() => world));
describe('a pasted amount', () => tellPasting(() => world));
describe('a phone number', () => tellPhones(() => world));
