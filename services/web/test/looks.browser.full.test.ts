import { describe } from '@jest/globals';
import { testCardPage } from './stories/card-page.ts';
import { testLogo } from './stories/logo.ts';
import { testLooks } from './stories/looks.ts';

describe('all pages', testLooks);
describe('a logo', testLogo);
describe('the card page', testCardPage);
