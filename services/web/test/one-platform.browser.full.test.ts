import { afterAll, beforeAll, describe } from '@jest/globals';
import { tellDisputeFiles } from './stories/dispute-files.ts';
import { tellLists } from './stories/lists.ts';
import { tellPaymentLinks } from './stories/payment-links.ts';
import { tellRaces } from './stories/races.ts';
import { tellRequests } from './stories/requests.ts';
import { type BrowserWorld, startBrowserWorld } from './support/browser-world.ts';

let world: BrowserWorld;

beforeAll(async () => {
  world = await startBrowserWorld();
});

afterAll(() => world?.stop());

// The order matters: the first one finds no link, the next ones no refusal and no saved destination, and the last one
// cancels charges.
describe('links of payment', () => tellPaymentLinks(() => world));
describe('requests', () => tellRequests(() => world));
describe('files', () => tellDisputeFiles(() => world));
describe('lists', () => tellLists(() => world));
describe('races', () => tellRaces(() => world));
