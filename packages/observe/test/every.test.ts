import { describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { createCapturedLog, silent } from '@plataforma/testing/fixtures';
import { every } from '../src/index.ts';

describe('repeated work', () => {
  test('runs repeatedly, one run at a time', async () => {
    let running = 0;
    let most = 0;
    let runs = 0;

    const job = every({
      everyMs: 1,
      log: silent,
      name: 'count',
      work: async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
        runs += 1;
      },
    });

    await eventually(() => expect(runs).toBeGreaterThan(3));
    await job.stop();
    expect(most).toBe(1);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['rejects', () => Promise.reject(new Error('not today'))],
    [
      'throws',
      () => {
        throw new Error('not today');
      },
    ],
  ])('that %s is logged and runs again', async (_how, fail) => {
    const { log, lines } = createCapturedLog();
    let runs = 0;

    const job = every({
      everyMs: 1,
      log,
      name: 'sweep',
      work: () => {
        runs += 1;
        return fail();
      },
    });

    await eventually(() => expect(runs).toBeGreaterThan(1));
    await job.stop();
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'warn',
      job: 'sweep',
      err: { message: 'not today' },
    });
  });

  test('is awaited by stop and does not run afterwards', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let runs = 0;
    const job = every({
      everyMs: 1,
      log: silent,
      name: 'slow',
      work: () => {
        runs += 1;
        begin();
        return released;
      },
    });
    await begun;

    let isStopped = false;
    const stopping = job.stop().then(() => {
      isStopped = true;
    });
    await new Promise(setImmediate);
    const wasStopped = isStopped;
    release();
    await stopping;
    await new Promise((resolve) => setTimeout(resolve, 20));

    expect(wasStopped).toBe(false);
    expect(runs).toBe(1);
  });
});
