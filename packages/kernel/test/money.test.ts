import { describe, expect, test } from '@jest/globals';
import { fromDecimal, MAX_AMOUNT, portion, toDecimal } from '../src/index.ts';

describe('portion', () => {
  test.each([
    [10_000, 99, 99],
    [150, 100, 2],
    [149, 100, 1],
    [1, 4999, 0],
    [1, 5000, 1],
    [MAX_AMOUNT, 10_000, MAX_AMOUNT],
    [0, 10_000, 0],
  ])('of %i cents at %i bps is %i', (amount, bps, expected) => {
    expect(portion(amount, bps)).toBe(expected);
  });
});

describe('decimal text', () => {
  test.each([
    [0, '0.00'],
    [5, '0.05'],
    [1050, '10.50'],
    [MAX_AMOUNT, '999999999.99'],
  ])('%i cents read %s and come back', (amount, text) => {
    expect(toDecimal(amount)).toBe(text);
    expect(fromDecimal(text)).toBe(amount);
  });

  test.each(['1', '1.5', '1,50', '-1.00', ' 1.00', '1.000', '12345678901.00', 'NaN'])(
    '%j is not an amount',
    (text) => {
      expect(fromDecimal(text)).toBeNull();
    },
  );

  test('a fraction of a cent has no decimal text', () => {
    expect(() => toDecimal(1.5)).toThrow(RangeError);
    expect(() => toDecimal(-1)).toThrow(RangeError);
  });
});
