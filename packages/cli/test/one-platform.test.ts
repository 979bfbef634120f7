import { afterAll, beforeAll, describe } from '@jest/globals';
import { testAccount } from './stories/account.ts';
import { testEvents } from './stories/events.ts';
import { type CliFixture, startFixture } from './support/fixture.ts';

let fixture: CliFixture;

beforeAll(async () => {
  fixture = await startFixture();
});

afterAll(() => fixture?.stop());

// Keep this order: the first tests need an empty account, and the later tests create every kind of event.
describe('an account', () => testAccount(() => fixture));
describe('events', () => testEvents(() => fixture));
