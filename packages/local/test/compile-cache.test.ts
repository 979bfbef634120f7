import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { scratchFolders } from '@plataforma/testing/scratch';
import { compileCacheIn } from '../src/compile-cache.ts';

const scratchDir = scratchFolders();

async function aRepository(): Promise<string> {
  const root = scratchDir();
  await writeFile(join(root, 'pnpm-lock.yaml'), 'the packages');
  return root;
}

test('all services share one compile cache, and old caches disappear', async () => {
  const root = await aRepository();
  const caches = join(root, '.local', 'compile-cache');
  await mkdir(join(caches, `${process.versions.node}-0123456789ab`, 'code'), { recursive: true });

  const [one, other] = await Promise.all([compileCacheIn(root), compileCacheIn(root)]);

  expect(other).toEqual(one);
  const { NODE_COMPILE_CACHE: dir = '' } = one;
  expect(await readdir(caches)).toEqual([basename(dir)]);
  const [version = ''] = await readdir(dir);
  expect((await readdir(join(dir, version))).length).toBeGreaterThan(1_000);
  expect(await compileCacheIn(root)).toEqual(one);
});

test('a read-only repository has no compile cache and no error', async () => {
  const root = await aRepository();
  await writeFile(join(root, '.local'), 'no folder');

  expect(await compileCacheIn(root)).toEqual({});
});
