import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { silent } from '@plataforma/testing/fixtures';
import { startForgettingKeys } from '../src/index.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('expired idempotency keys are deleted soon after each start', async () => {
  const queries: string[] = [];
  const nothing = async () => [];
  const database: Database = {
    url: '',
    query: async (text: string) => {
      queries.push(text);
      return [];
    },
    queryUnprepared: nothing,
    transaction: () => Promise.reject(new Error('none is needed')),
    onSignal: () => undefined,
    writes: () => 0,
    connections: () => ({ busy: 0, idle: 0, waiting: 0, inLine: 0 }),
    close: async () => undefined,
  };

  const forgetting = startForgettingKeys(database, silent);
  await jest.advanceTimersByTimeAsync(60_000);
  await forgetting.stop();

  expect(queries).toEqual([expect.stringContaining('DELETE FROM idempotency_keys')]);
});
