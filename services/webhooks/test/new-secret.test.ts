import { expect, test } from '@jest/globals';
import { newSecret } from '../src/new-secret.ts';

test('a generated secret is never the same twice', () => {
  expect(new Set(Array.from({ length: 100 }, newSecret)).size).toBe(100);
});
