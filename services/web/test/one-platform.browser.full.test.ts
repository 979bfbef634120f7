import { describe } from '@jest/globals';
import { testDisputeFiles } from './stories/dispute-files.ts';
import { testLists } from './stories/lists.ts';
import { testPaymentLinks } from './stories/payment-links.ts';
import { testRaces } from './stories/races.ts';
import { testRequests } from './stories/requests.ts';

// The order matters: the first one needs no link, the next ones no refusal and no saved destination. The last
// one cancels charges.
describe('the payment links page', testPaymentLinks);
describe('API requests', testRequests);
describe('files and rows', testDisputeFiles);
describe('lists and details', testLists);
describe('races between Pix and card', testRaces);
