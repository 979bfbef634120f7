import { afterAll, beforeAll, describe } from '@jest/globals';
import { tellAccount } from './stories/account.ts';
import { tellBuyer } from './stories/buyer.ts';
import { tellCopying } from './stories/copying.ts';
import { tellCrowd } from './stories/crowd.ts';
import { tellDashboard } from './stories/dashboard.ts';
import { tellExactness } from './stories/exactness.ts';
import { tellExporting } from './stories/exporting.ts';
import { tellFrame } from './stories/frame.ts';
import { tellLinks } from './stories/links.ts';
import { tellLogIn } from './stories/log-in.ts';
import { tellPages } from './stories/pages.ts';
import { tellPaging } from './stories/paging.ts';
import { tellPasting } from './stories/pasting.ts';
import { tellPhones } from './stories/phones.ts';
import { tellScan } from './stories/scan.ts';
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
describe('a code before the camera', () => tellScan(() => world));
describe('a buyer', () => tellBuyer(() => world));
describe('a payment link', () => tellLinks(() => world));
describe('a crowd at a link', () => tellCrowd(() => world));
describe('what a merchant does', () => tellDashboard(() => world));
describe('pages of lists', () => tellPaging(() => world));
describe('what a merchant reads and types', () => tellExactness(() => world));
describe('a browser without a clipboard', () => tellCopying(() => world));
describe('a pasted amount', () => tellPasting(() => world));
describe('a list as a file', () => tellExporting(() => world));
describe('a phone number', () => tellPhones(() => world));
