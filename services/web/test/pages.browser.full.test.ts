import { describe } from '@jest/globals';
import { tellAccount } from './stories/account.ts';
import { tellFrame } from './stories/frame.ts';
import { tellPages } from './stories/pages.ts';

// In this order: the first one finds no webhook and no saved destination.
describe('pages of the dashboard', tellPages);
describe('the frame around them', tellFrame);
describe('an account', tellAccount);
