import { expect, test } from '@jest/globals';
import { oneAtATimeByName } from '../src/index.ts';

test('jobs of one name run in sequence, others in parallel', async () => {
  const inTurn = oneAtATimeByName();
  const begun: string[] = [];
  const { promise: blocked, reject } = Promise.withResolvers<void>();
  const add = (name: string, work: () => Promise<void> = async () => undefined) =>
    inTurn(name, async () => {
      begun.push(name);
      await work();
      return begun.length;
    }).catch(() => 'failed');

  const all = [add('a', () => blocked), add('a'), add('b')];
  expect(await all[2]).toBe(2);
  expect(begun).toEqual(['a', 'b']);
  reject(new Error('not now'));

  expect(await Promise.all(all)).toEqual(['failed', 3, 2]);
  expect(await add('a')).toBe(4);
});
