import { expect, test } from '@jest/globals';
import { maskedDocument } from '../src/index.ts';

test.each([
  ['12345678909', '***.456.789-**'],
  ['12345678000195', '**.345.678/0001-**'],
  ['12ABC34501DE35', '**.ABC.345/01DE-**'],
])('%s is shown as %s', (document, shown) => {
  expect(maskedDocument(document)).toBe(shown);
});
