import { describe } from '@jest/globals';
import { testAccount } from './stories/account.ts';
import { testFrame } from './stories/frame.ts';
import { testPages } from './stories/pages.ts';

// In this order: the first one finds no webhook and no saved destination.
describe('pages of the dashboard', testPages);
describe('the frame around them', testFrame);
describe('an account', testAccount);
