import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { newTestFolder, removeLeftovers } from '../src/test-folders.ts';

test('a starting run removes only the folders of killed runs', async () => {
  const { pid } = spawnSync('true');
  const leftover = await mkdtemp(join(tmpdir(), `plataforma-test-${pid}-`));
  const [ours, ofOthers] = [await newTestFolder(), await mkdtemp(join(tmpdir(), 'plataforma-test-'))];

  await removeLeftovers();

  expect([leftover, ours, ofOthers].map(existsSync)).toEqual([false, true, true]);
  for (const folder of [ours, ofOthers]) await rm(folder, { recursive: true });
});
