import { afterAll, beforeAll, describe } from '@jest/globals';
import { testAccount } from './stories/account.ts';
import { testEvents } from './stories/events.ts';
import { type CliFixture, startFixture } from './support/fixture.ts';

let fixture: CliFixture;

beforeAll(async () => {
  fixture = await startFixture();
});

afterAll(() => fixture?.stop());

// The order matters: the account starts empty, and then gets each kind of event.
describe('an account', () => testAccount(() => fixture));
describe('events', () => testEvents(() => fixture));
