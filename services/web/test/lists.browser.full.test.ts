import { describe } from '@jest/globals';
import { testDays } from './stories/days.ts';
import { testExactness } from './stories/exactness.ts';
import { testExporting } from './stories/exporting.ts';
import { testMonthEnd } from './stories/month-end.ts';
import { testPaging } from './stories/paging.ts';
import { testSearching } from './stories/searching.ts';

describe('a paged list', testPaging);
describe('the export of a list', testExporting);
describe('the search of the dashboard', testSearching);
describe('the closing of a month', testMonthEnd);
describe('the dashboard', testExactness);
// These tests come last, because they move the clock of the sandbox.
describe('the account’s time zone', testDays);
