import { describe } from '@jest/globals';
import { tellCardPage } from './stories/card-page.ts';
import { tellLogo } from './stories/logo.ts';
import { tellLooks } from './stories/looks.ts';

describe('all pages', tellLooks);
describe('a logo', tellLogo);
describe('the page of a card', tellCardPage);
