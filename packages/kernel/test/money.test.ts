import { describe, expect, test } from '@jest/globals';
import { fromDecimal, MAX_AMOUNT, portion, readDecimal, toDecimal } from '../src/index.ts';

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
  ])('of %i cents is %s and is read back', (amount, text) => {
    expect(toDecimal(amount)).toBe(text);
    expect(fromDecimal(text)).toBe(amount);
  });

  test.each(['1', '1.5', '1,50', '-1.00', ' 1.00', '1.000', '12345678901.00', 'NaN'])(
    '%j is not an amount',
    (text) => {
      expect(fromDecimal(text)).toBeNull();
    },
  );

  test.each([
    ['10.50', 1050],
    ['10.5', 1050],
    ['10', 1000],
    ['0.1', 10],
    ['0', 0],
    ['007.00', 700],
    ['9999999999.99', 999_999_999_999],
    ['10.505', null],
    ['10.500', null],
    ['10.', null],
    ['.5', null],
    ['10,5', null],
    ['1.000,50', null],
    ['1e3', null],
    ['-10.5', null],
    ['+10.5', null],
    [' 10.5', null],
    ['12345678901', null],
    ['', null],
  ])('from a provider, %j, is %s cents', (text, cents) => {
    expect(readDecimal(text)).toBe(cents);
  });

  test('is refused for fractions and negative cents', () => {
    expect(() => toDecimal(1.5)).toThrow(RangeError);
    expect(() => toDecimal(-1)).toThrow(RangeError);
  });
});
