import { expect, test } from '@jest/globals';
import { filesOfJob } from '../src/jest-sequencer.ts';

const tests = ['a', 'b', 'c', 'd', 'e', 'f'].map((path) => ({ path }));
const recorded = new Map([
  ['a', 60_000],
  ['b', 50_000],
  ['c', 45_000],
  ['d', 20_000],
]);
const pathsOf = (shardIndex: number, shardCount: number) =>
  filesOfJob(tests, { shardIndex, shardCount }, recorded).map(({ path }) => path);

test('jobs divide a run’s files by their recorded durations', () => {
  expect([pathsOf(1, 3), pathsOf(2, 3), pathsOf(3, 3)]).toEqual([['a'], ['b', 'e', 'f'], ['c', 'd']]);
  expect(pathsOf(1, 1)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});
