import { expect, test } from '@jest/globals';
import { shortMoney } from '../pages/shared/short-money.ts';

test.each([
  [0, 'R$ 0'],
  [1, 'R$ 0,01'],
  [20, 'R$ 0,20'],
  [125, 'R$ 1,25'],
  [100, 'R$ 1'],
  [80_000, 'R$ 800'],
  [99_999, 'R$ 999,99'],
  [100_000, 'R$ 1 mil'],
  [125_000, 'R$ 1,25 mil'],
  [123_456, 'R$ 1,23456 mil'],
  [1_200_000, 'R$ 12 mil'],
  [123_456_789, 'R$ 1,23456789 mi'],
])('an axis shows %i cents without rounding', (cents, text) => {
  expect(shortMoney(cents, 'pt-BR').replace(/\s/g, ' ')).toBe(text);
});

test.each([
  [80_000, 'R$ 800'],
  [20_000_000, 'R$ 200k'],
  [123_456_789, 'R$ 1,23456789M'],
  [120_000_000_000, 'R$ 1,2B'],
])('an English axis shows %i cents with English units', (cents, text) => {
  expect(shortMoney(cents, 'en').replace(/\s/g, ' ')).toBe(text);
});
