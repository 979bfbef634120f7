import { describe } from '@jest/globals';
import { testDisputeFiles } from './stories/dispute-files.ts';
import { testLists } from './stories/lists.ts';
import { testPaymentLinks } from './stories/payment-links.ts';
import { testRaces } from './stories/races.ts';
import { testRequests } from './stories/requests.ts';

// The order matters. The first tests need an account without links; the next ones need an account without
// refused requests and saved destinations. The last tests cancel charges.
describe('the payment links page', testPaymentLinks);
describe('API requests', testRequests);
describe('files and rows', testDisputeFiles);
describe('lists and details', testLists);
describe('races between Pix and card', testRaces);
