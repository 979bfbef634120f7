import { describe } from '@jest/globals';
import { testCopying } from './stories/copying.ts';
import { testCrowd } from './stories/crowd.ts';
import { testLinks } from './stories/links.ts';
import { testPasting } from './stories/pasting.ts';
import { testPhones } from './stories/phones.ts';
import { testScan } from './stories/scan.ts';

// The last ones leave saved destinations behind.
describe('a code before the camera', testScan);
describe('a payment link', testLinks);
describe('a crowd at a link', testCrowd);
describe('a browser without a clipboard', testCopying);
describe('a pasted amount', testPasting);
describe('a phone number', testPhones);
