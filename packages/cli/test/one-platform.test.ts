import { afterAll, beforeAll, describe } from '@jest/globals';
import { testAccount } from './stories/account.ts';
import { testEvents } from './stories/events.ts';
import { type Stage, startStage } from './support/stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await startStage();
});

afterAll(() => stage?.stop());

// In this order: the account begins empty, and events are made of all kinds.
describe('an account', () => testAccount(() => stage));
describe('events', () => testEvents(() => stage));
