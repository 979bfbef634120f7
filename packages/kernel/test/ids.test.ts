import { expect, test } from '@jest/globals';
import { isUuid, newId } from '../src/index.ts';

test('ids are unique, ordered and of version 7', () => {
  const ids = Array.from({ length: 50_000 }, newId);

  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
  expect(ids.filter((id) => !isUuid(id) || id[14] !== '7' || !'89ab'.includes(id[19] ?? ''))).toEqual([]);
});

test('consecutive ids share only their time and its counter', () => {
  const tails = Array.from({ length: 5_000 }, () => newId().slice(24));

  expect(new Set(tails).size).toBeGreaterThan(tails.length * 0.99);
});
