import { describe } from '@jest/globals';
import { tellBuyer } from './stories/buyer.ts';
import { tellDashboard } from './stories/dashboard.ts';
import { tellLogIn } from './stories/log-in.ts';

// All other stories in a browser belong to the long tier.
describe('the log-in', tellLogIn);
describe('a buyer', tellBuyer);
describe('what a merchant does', tellDashboard);
