import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { withLock } from '../src/with-lock.ts';

/** No process has this pid, which is above Linux's maximum. */
const DEAD_PID = '4194305';
const CALLERS = 40;

let folder: string;
let lock: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'));
  lock = join(folder, 'built.lock');
});
afterEach(() => rm(folder, { recursive: true }));

/**
 * Returns a function `work` and counts of its calls: `now` counts the running ones, `most` the maximum at the
 * same time, and `calls` all.
 */
function countedWork() {
  const counted = { now: 0, most: 0, calls: 0 };
  const work = async () => {
    counted.calls += 1;
    counted.now += 1;
    counted.most = Math.max(counted.most, counted.now);
    await pause();
    counted.now -= 1;
  };
  return { counted, work };
}

test('callers at once work one after another', async () => {
  const { counted, work } = countedWork();

  await Promise.all(Array.from({ length: CALLERS }, () => withLock(lock, work, 1)));

  expect(counted).toEqual({ now: 0, most: 1, calls: CALLERS });
  expect(await readdir(folder)).toEqual([]);
});

test('callers at once take the lock of a dead process one after another', async () => {
  await writeFile(lock, DEAD_PID);
  const { counted, work } = countedWork();

  await Promise.all(Array.from({ length: CALLERS }, () => withLock(lock, work, 1)));

  expect(counted).toEqual({ now: 0, most: 1, calls: CALLERS });
});

test('a caller fails at once when the lock cannot be written', async () => {
  await writeFile(join(folder, 'file'), '');
  const work = jest.fn(async () => undefined);

  await expect(withLock(join(folder, 'file/built.lock'), work)).rejects.toThrow('EEXIST');

  expect(work).not.toHaveBeenCalled();
});
