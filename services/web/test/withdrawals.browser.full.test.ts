import { describe } from '@jest/globals';
import { testWithdrawing } from './stories/withdrawing.ts';

describe('a merchant who withdraws', testWithdrawing);
