import { describe } from '@jest/globals';
import { tellDisputeFiles } from './stories/dispute-files.ts';
import { tellLists } from './stories/lists.ts';
import { tellPaymentLinks } from './stories/payment-links.ts';
import { tellRaces } from './stories/races.ts';
import { tellRequests } from './stories/requests.ts';

// The order matters: the first one finds no link, the next ones no refusal and no saved destination, and the last one
// cancels charges.
describe('links of payment', tellPaymentLinks);
describe('requests', tellRequests);
describe('files', tellDisputeFiles);
describe('lists', tellLists);
describe('races', tellRaces);
