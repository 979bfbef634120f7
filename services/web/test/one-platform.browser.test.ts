import { describe } from '@jest/globals';
import { testBuyer } from './stories/buyer.ts';
import { testDashboard } from './stories/dashboard.ts';
import { testLogIn } from './stories/log-in.ts';

// Only these browser tests are in the short tier. All others are in the long tier.
describe('the log-in', testLogIn);
describe('a buyer', testBuyer);
describe('a merchant', testDashboard);
