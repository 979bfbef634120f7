import { describe } from '@jest/globals';
import { tellDays } from './stories/days.ts';
import { tellExactness } from './stories/exactness.ts';
import { tellExporting } from './stories/exporting.ts';
import { tellPaging } from './stories/paging.ts';

describe('pages of lists', tellPaging);
describe('a list as a file', tellExporting);
describe('what a merchant reads and types', tellExactness);
// Last: it moves the sandbox's clock.
describe('days of the account', tellDays);
