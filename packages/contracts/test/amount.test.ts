import { expect, test } from '@jest/globals';
import { centsIn } from '../src/forms/amount.ts';

test.each([
  ['10,5', 1_050],
  ['10,50', 1_050],
  ['25', 2_500],
  ['1500', 150_000],
  ['R$ 1.500', 150_000],
  ['R$1.500,00', 150_000],
  ['R$\u00a01.234,56', 123_456],
  ['\u200e1.234,56\u200b', 123_456],
  ['1 500,00', 150_000],
  ['\n 1.234,5 \t', 123_450],
  ['0,01', 1],
  ['0', 0],
  // In Brazil, a point before three digits separates thousands. A point before one or two digits separates
  // cents in English.
  ['1.234', 123_400],
  ['1.234.567', 123_456_700],
  ['25.50', 2_550],
  ['1234.5', 123_450],
  ['1,234.50', 123_450],
  ['1,234,567', 123_456_700],
  ['999.999.999,99', 99_999_999_999],
  // In the next two texts, the comma may separate thousands, or begin three decimals. An ambiguous amount is
  // not read.
  ['1,234', null],
  ['15,005', null],
  ['15.0055', null],
  ['1.23.456', null],
  ['1,23,4', null],
  ['1.234,567', null],
  ['1.000.000.000,00', null],
  ['-5', null],
  ['5 a 10', null],
  ['dez', null],
  ['', null],
  ['R$', null],
])('a pasted %j is read as %p cents', (text, cents) => expect(centsIn(text)).toBe(cents));
