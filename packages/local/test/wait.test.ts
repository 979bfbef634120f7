import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '../src/index.ts';

describe('eventually', () => {
  test('repeats an assertion until it succeeds', async () => {
    let tries = 0;

    const result = await eventually(() => {
      tries += 1;
      expect(tries).toBeGreaterThan(2);
      return tries;
    });

    expect(result).toBe(3);
  });

  test('fails with the last failure of the assertion', async () => {
    let tries = 0;

    const failure = eventually(
      () => {
        tries += 1;
        throw new Error(`try ${tries}`);
      },
      { timeoutMs: 50, intervalMs: 10 },
    );

    await expect(failure).rejects.toThrow(/^try [2-9]/);
  });

  test('tries once more after an attempt that ended too late', async () => {
    let tries = 0;

    const result = eventually(
      async () => {
        tries += 1;
        if (tries === 1) await sleep(20);
        expect(tries).toBe(2);
        return 'held';
      },
      { timeoutMs: 10, intervalMs: 1 },
    );

    expect(await result).toBe('held');
  });
});
