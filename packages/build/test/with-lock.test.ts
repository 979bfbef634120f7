import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { withLock } from '../src/with-lock.ts';

/** No process has this pid, which is above Linux's maximum. */
const DEAD_PID = '4194305';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('five callers at once work one after another', async () => {
  let working = 0;
  const seen: number[] = [];
  const work = async () => {
    working += 1;
    seen.push(working);
    await sleep(5);
    working -= 1;
  };

  await Promise.all(Array.from({ length: 5 }, () => withLock(join(folder, 'built.lock'), work)));

  expect(seen).toEqual([1, 1, 1, 1, 1]);
  expect(await readdir(folder)).toEqual([]);
});

test('a caller takes the lock of a dead process', async () => {
  const lock = join(folder, 'built.lock');
  await mkdir(lock);
  await writeFile(join(lock, 'pid'), DEAD_PID);
  const work = jest.fn(async () => undefined);

  await withLock(lock, work);

  expect(work).toHaveBeenCalledTimes(1);
});

test('a caller fails at once when the lock cannot be written', async () => {
  await writeFile(join(folder, 'file'), '');
  const lock = join(folder, 'file/built.lock');

  await expect(withLock(lock, async () => undefined)).rejects.toThrow('EEXIST');
});
