import { describe, expect, test } from '@jest/globals';
import { gathered } from '../src/gathered.ts';

const outcomesOf = (promises: Promise<unknown>[]) => Promise.allSettled(promises);

describe('simultaneous calls', () => {
  test('run in limited batches, each with its own result', async () => {
    const batches: number[][] = [];
    const double = gathered<number, number>({
      limit: 3,
      work: async (items) => {
        batches.push(items);
        return items.map((item) => item * 2);
      },
      isHopeless: () => false,
    });

    const results = await Promise.all([1, 2, 3, 4, 5].map(double));

    expect(results).toEqual([2, 4, 6, 8, 10]);
    expect(batches).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
  });

  test('wait for the running batch and form the next one', async () => {
    const { promise: blocked, resolve: goOn } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const batches: number[][] = [];
    const slow = gathered<number, number>({
      limit: 10,
      work: async (items) => {
        batches.push(items);
        begin();
        await blocked;
        return items;
      },
      isHopeless: () => false,
    });

    const first = slow(1);
    await begun;
    const rest = [slow(2), slow(3)];
    goOn();

    expect(await Promise.all([first, ...rest])).toEqual([1, 2, 3]);
    expect(batches).toEqual([[1], [2, 3]]);
  });

  test('succeed although one call of the batch fails', async () => {
    const work = gathered<number, number>({
      limit: 10,
      work: async (items) => {
        if (items.includes(2)) throw new Error('two');
        return items;
      },
      isHopeless: () => false,
    });

    const results = await outcomesOf([1, 2, 3].map(work));

    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  test('all fail after one hopeless error', async () => {
    let calls = 0;
    const away = gathered<number, number>({
      limit: 10,
      work: async () => {
        calls += 1;
        throw new Error('away');
      },
      isHopeless: () => true,
    });

    const results = await outcomesOf([1, 2, 3].map(away));

    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    expect(calls).toBe(2);
  });
});
