import { expect, test } from '@jest/globals';
import { integerParam } from '../src/fields.ts';

test.each([
  ['1', 1],
  ['007', 7],
  ['100', 100],
])('a parameter %p reads %p', (written, value) => {
  expect(integerParam(1, 100).parse(written)).toBe(value);
});

test.each([
  '1e1',
  '0x10',
  '',
  ' 5',
  '5 ',
  '1_0',
  '+5',
  '٣',
  'NaN',
  '1.5',
  '0',
  '101',
  '-1',
  '99999999999999999999',
])('a parameter %p is refused', (written) => {
  expect(integerParam(1, 100).safeParse(written).success).toBe(false);
});
