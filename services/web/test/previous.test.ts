import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { scratchFolders } from '@plataforma/testing/scratch';
import { startWorld, type World } from './support/world.ts';

const scratchDir = scratchFolders();
const HOUR_MS = 60 * 60 * 1_000;
const CODE = 'export const release = 1;';
let world: World;
let now = new Date('2026-01-01T12:00:00.000Z');

beforeAll(async () => {
  const folder = scratchDir();
  for (const build of ['dashboard', 'checkout'])
    await mkdir(join(folder, build, 'assets'), { recursive: true });
  await writeFile(join(folder, 'dashboard/assets/home-before.js'), CODE);
  await writeFile(join(folder, 'dashboard/assets/home-before.js.gz'), gzipSync(CODE));
  await writeFile(join(folder, 'checkout/assets/client-before.js'), CODE);
  await writeFile(join(folder, 'dashboard/other.html'), 'no asset');
  world = await startWorld({ PREVIOUS_PAGES: folder }, { clock: () => now });
});
afterAll(() => world.stop());

const statusOf = async (path: string) => (await world.call(path)).status;

test('files of the previous release are served for a day', async () => {
  const { status, headers, text } = await world.call('/assets/home-before.js');

  expect([status, text, headers.get('content-encoding')]).toEqual([200, CODE, 'gzip']);
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(await statusOf('/pay/assets/client-before.js')).toBe(200);
  expect(await statusOf('/other.html')).toBe(404);
  now = new Date(now.getTime() + 24 * HOUR_MS - 1);
  expect(await statusOf('/assets/home-before.js')).toBe(200);
  now = new Date(now.getTime() + 1);
  expect(await statusOf('/assets/home-before.js')).toBe(404);
});

test('files of this release never expire', async () => {
  const script = /src="(\/assets\/[^"]+\.js)"/.exec((await world.call('/')).text)?.[1] ?? '';
  now = new Date(now.getTime() + 24 * HOUR_MS);

  expect(await statusOf(script)).toBe(200);
});

test('an empty previous folder is accepted, a missing one refused', async () => {
  const own = await startWorld({ PREVIOUS_PAGES: scratchDir() });
  expect((await own.call('/')).status).toBe(200);
  await own.stop();

  await expect(startWorld({ PREVIOUS_PAGES: join(scratchDir(), 'gone') })).rejects.toThrow('PREVIOUS_PAGES');
});

test('a previous build that cannot be read stops the start', async () => {
  const folder = scratchDir();
  await writeFile(join(folder, 'dashboard'), 'no folder');

  await expect(startWorld({ PREVIOUS_PAGES: folder })).rejects.toThrow('PREVIOUS_PAGES: its dashboard');
});
