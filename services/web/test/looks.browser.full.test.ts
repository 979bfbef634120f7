import { afterAll, beforeAll, describe } from '@jest/globals';
import { tellCardPage } from './stories/card-page.ts';
import { tellLogo } from './stories/logo.ts';
import { tellLooks } from './stories/looks.ts';
import { type BrowserWorld, startBrowserWorld } from './support/browser-world.ts';

let world: BrowserWorld;

beforeAll(async () => {
  world = await startBrowserWorld();
});

afterAll(() => world?.stop());

describe('all pages', () => tellLooks(() => world));
describe('a logo', () => tellLogo(() => world));
describe('the page of a card', () => tellCardPage(() => world));
