import { expect, test } from '@jest/globals';
import { expiryOf, groupedExpiry } from '../pages/checkout/card-expiry.ts';

test.each([
  ['12/2035', '12/2035', 12, 2035],
  ['12 / 2035', '12/2035', 12, 2035],
  ['122035', '12/2035', 12, 2035],
  ['12-2035', '12/2035', 12, 2035],
  ['2035-12', '12/2035', 12, 2035],
  ['2035-1', '2035-1', 1, 2035],
  ['1/35', '01/35', 1, 2035],
  ['1/2035', '01/2035', 1, 2035],
  ['135', '135', 1, 2035],
  ['92035', '92035', 9, 2035],
  ['9 / 35', '09/35', 9, 2035],
  ['12/35', '12/35', 12, 2035],
  ['12 / 35', '12/35', 12, 2035],
  ['1235', '12/35', 12, 2035],
  [' 0135 ', '01/35', 1, 2035],
])('the expiry text %j becomes %s', (text, written, month, year) => {
  expect([groupedExpiry(text), expiryOf(text)]).toEqual([written, { month, year }]);
});

test.each([
  ['', ''],
  ['0', '0'],
  ['1', '1'],
  ['12', '12'],
  ['12/', '12/'],
  ['5/', '05/'],
  ['123', '12/3'],
  ['12/203', '12/203'],
  ['13', '13'],
  ['13/35', '13/35'],
  ['13 / 2035', '13 / 2035'],
  ['1335', '1335'],
  ['99/35', '99/35'],
  ['2035-13', '13/2035'],
  ['00/35', '00/35'],
  ['12/1935', '12/1935'],
])('the invalid expiry %j is shown as %j and refused', (text, written) => {
  expect([groupedExpiry(text), expiryOf(text)]).toEqual([written, null]);
});

test.each([
  ['122035', ['1', '12', '12/2', '12/20', '12/203', '12/2035']],
  ['13/35', ['1', '13', '13/', '13/3', '13/35']],
  ['1335', ['1', '13', '133', '1335']],
  ['2035-12', ['2', '20', '203', '2035', '2035-', '2035-1', '12/2035']],
])('the field formats %s while it is typed', (keys, shown) => {
  let text = '';
  const typed = [...keys].map((key) => {
    text = groupedExpiry(text + key);
    return text;
  });
  expect(typed).toEqual(shown);
});
