import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { npmInstall, packInto, tarballOf } from '@plataforma/testing/packed';
import { scratchFolders } from '@plataforma/testing/scratch';
import { compile } from './support/compile.ts';
import { shopSource } from './support/shop-source.ts';

const newFolder = scratchFolders();
const FRAMEWORKS = ['express@5.3.0', '@types/express@5.0.6', '@types/node@24.19.2', 'fastify@5.12.8'];

let tarball: string;
let folder: string;
let shop: ChildProcess;
let printed = '';

beforeAll(async () => {
  const packed = newFolder();
  await packInto(packed);
  tarball = tarballOf(packed, 'sdk');
});
beforeAll(async () => {
  folder = newFolder();
  await npmInstall(folder, [tarball, ...FRAMEWORKS]);
  writeFileSync(join(folder, 'shop.mts'), shopSource);
  shop = spawn(process.execPath, ['shop.mts'], { cwd: folder, env: { PATH: process.env.PATH ?? '' } });
  for (const stream of [shop.stdout, shop.stderr]) stream?.on('data', (part) => (printed += String(part)));
  await eventually(() => expect(printed).toMatch(/express .*\n[\s\S]*fastify|fastify .*\n[\s\S]*express/));
});
afterAll(async () => {
  if (shop?.exitCode !== null) return;
  shop.kill();
  await once(shop, 'close');
});

const { vectors } = JSON.parse(readFileSync(`${process.cwd()}/packages/sdk/vectors.json`, 'utf8'));
const [{ headers, body }] = vectors;

async function post(
  framework: string,
  path: string,
  given: { headers: Record<string, string>; body: string },
) {
  const port = new RegExp(`${framework} .*"port":(\\d+)`).exec(printed)?.[1];
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', ...given });
  return { status: answer.status, body: await answer.json() };
}

const paidSoFar = () => printed.split('paid 2500').length - 1;

describe.each([
  ['express', ['/webhooks', '/raw']],
  ['fastify', ['/webhooks']],
])('in %s', (framework, paths) => {
  test.each(paths)('only a signed delivery reaches its handler at %s', async (path) => {
    const before = paidSoFar();

    expect(await post(framework, path, { headers, body })).toMatchObject({ status: 200 });
    await eventually(() => expect(paidSoFar()).toBe(before + 1));

    const forged = await post(framework, path, { headers, body: body.replace('2500', '9900') });
    expect(forged).toMatchObject({
      status: 401,
      body: { error: expect.stringContaining('no signature matches') },
    });
    expect(paidSoFar()).toBe(before + 1);
  });

  test('the other routes still read JSON', async () => {
    const order = { headers: { 'content-type': 'application/json' }, body: '{"amount":1}' };

    expect(await post(framework, '/orders', order)).toEqual({ status: 200, body: { amount: 1 } });
  });
});

test('an already parsed express webhook gives 500 instead of 401', async () => {
  expect(await post('express', '/parsed', { headers, body })).toEqual({
    status: 500,
    body: { error: 'not read' },
  });
});

test('the handlers fit the types of both frameworks', async () => {
  const options = ['--module', 'nodenext', '--skipLibCheck', '--types', 'node'];

  await compile(folder, 'shop.mts', options);
});

test('the same sources give the same tarball bytes', async () => {
  const again = newFolder();
  await packInto(again);

  expect(readFileSync(tarballOf(again, 'sdk')).equals(readFileSync(tarball))).toBe(true);
});
