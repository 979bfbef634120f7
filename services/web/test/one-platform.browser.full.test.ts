import { describe } from '@jest/globals';
import { testDisputeFiles } from './stories/dispute-files.ts';
import { testLists } from './stories/lists.ts';
import { testPaymentLinks } from './stories/payment-links.ts';
import { testRaces } from './stories/races.ts';
import { testRequests } from './stories/requests.ts';

// The order matters: the first one finds no link, the next ones no refusal and no saved destination, and the last one
// cancels charges.
describe('links of payment', testPaymentLinks);
describe('requests', testRequests);
describe('files', testDisputeFiles);
describe('lists', testLists);
describe('races', testRaces);
