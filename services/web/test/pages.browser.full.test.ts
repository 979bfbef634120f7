import { describe } from '@jest/globals';
import { testAccount } from './stories/account.ts';
import { testFirstSteps } from './stories/first-steps.ts';
import { testFrame } from './stories/frame.ts';
import { testPages } from './stories/pages.ts';

// The order matters, because the first tests need an account without webhooks and saved destinations.
describe('pages of the dashboard', testPages);
describe('the frame of the dashboard', testFrame);
describe('an account', testAccount);
describe('the first steps', testFirstSteps);
