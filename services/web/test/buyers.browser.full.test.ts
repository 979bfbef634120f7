import { describe } from '@jest/globals';
import { testCopying } from './stories/copying.ts';
import { testCrowd } from './stories/crowd.ts';
import { testLinks } from './stories/links.ts';
import { testPasting } from './stories/pasting.ts';
import { testPhones } from './stories/phones.ts';
import { testScan } from './stories/scan.ts';

// The order matters, because the last tests leave saved destinations in the account.
describe('the QR scanner', testScan);
describe('a payment link', testLinks);
describe('a payment link with 20 simultaneous buyers', testCrowd);
describe('a copy button', testCopying);
describe('pasted text', testPasting);
describe('a phone number', testPhones);
