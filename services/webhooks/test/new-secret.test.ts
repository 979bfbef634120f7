import { expect, test } from '@jest/globals';
import { newSecret } from '../src/new-secret.ts';

test('every generated secret is different', () => {
  expect(new Set(Array.from({ length: 100 }, newSecret)).size).toBe(100);
});
