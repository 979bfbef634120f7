import { describe } from '@jest/globals';
import { testDays } from './stories/days.ts';
import { testExactness } from './stories/exactness.ts';
import { testExporting } from './stories/exporting.ts';
import { testPaging } from './stories/paging.ts';

describe('pages of lists', testPaging);
describe('a list as a file', testExporting);
describe('what a merchant reads and types', testExactness);
// Last: it moves the sandbox's clock.
describe('days of the account', testDays);
