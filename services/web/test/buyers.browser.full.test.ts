import { describe } from '@jest/globals';
import { tellCopying } from './stories/copying.ts';
import { tellCrowd } from './stories/crowd.ts';
import { tellLinks } from './stories/links.ts';
import { tellPasting } from './stories/pasting.ts';
import { tellPhones } from './stories/phones.ts';
import { tellScan } from './stories/scan.ts';

// The last ones leave saved destinations behind.
describe('a code before the camera', tellScan);
describe('a payment link', tellLinks);
describe('a crowd at a link', tellCrowd);
describe('a browser without a clipboard', tellCopying);
describe('a pasted amount', tellPasting);
describe('a phone number', tellPhones);
