import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { npmInstall, packInto, runIn, tarballOf } from '@plataforma/testing/packed';
import { scratchFolders } from '@plataforma/testing/scratch';
import { compile } from './support/compile.ts';

const newFolder = scratchFolders();
const KB = 1_000;

let packed: string;
let tarball: string;
let consumer: string;
let installed: string;

beforeAll(async () => {
  packed = newFolder();
  await packInto(packed);
  tarball = tarballOf(packed, 'sdk');
  consumer = newFolder();
  await npmInstall(consumer, [tarball]);
  installed = join(consumer, 'node_modules/@plataforma/sdk');
});

describe('the tarball of the SDK', () => {
  test('has at most 64 kB and no dependencies', () => {
    const modules = ['index.js', 'webhooks.js'].map((name) => readFileSync(join(installed, 'dist', name)));
    const zipped = modules.reduce((sum, each) => sum + gzipSync(each, { level: 9 }).length, 0);
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));

    expect(zipped).toBeLessThanOrEqual(12 * KB);
    expect(statSync(tarball).size).toBeLessThanOrEqual(64 * KB);
    expect(Object.keys(manifest).filter((key) => /dependencies|private/i.test(key))).toEqual([]);
  });

  test('has only files for users, without imports', () => {
    const files = readdirSync(installed, { recursive: true, withFileTypes: true });
    const names = files.filter((each) => each.isFile()).map(({ name }) => name);

    expect(names.toSorted()).toEqual([
      ...['LICENSE', 'README.md', 'index.cjs', 'index.d.cts', 'index.d.ts', 'index.js', 'package.json'],
      'package.json',
      ...['vectors.json', 'webhooks.cjs', 'webhooks.d.cts', 'webhooks.d.ts', 'webhooks.js'],
    ]);
    for (const name of names.filter((each) => /\.(?:c?js|d\.cts)$/.test(each))) {
      const text = readFileSync(join(installed, 'dist', name), 'utf8');
      expect(text).not.toMatch(/^(?:import|export) .*from|require\(|import\(|@plataforma\/|\bzod\b/m);
    }
  });

  test('passes publint', async () => {
    const publint = `${process.cwd()}/packages/pack/node_modules/.bin/publint`;

    const said = await runIn(consumer, publint, ['run', installed, '--strict', '--pack', 'npm']);

    expect(said).toContain('All good!');
  });

  test('has the checksum of sha256sums.txt', () => {
    const digest = createHash('sha256').update(readFileSync(tarball)).digest('hex');

    expect(readFileSync(join(packed, 'sha256sums.txt'), 'utf8')).toContain(
      `${digest}  ${tarball.slice(packed.length + 1)}\n`,
    );
  });
});

describe('the types of the tarball', () => {
  test.each([
    ['a module of Node', 'example.mts', ['--module', 'nodenext']],
    ['CommonJS', 'example.cts', ['--module', 'nodenext']],
    ['a bundler', 'example.ts', ['--module', 'esnext', '--moduleResolution', 'bundler']],
  ])('compile like those of the repository in %s', async (_what, name, options) => {
    cpSync(`${process.cwd()}/packages/pack/test/example.test-d.ts`, join(consumer, name));

    await compile(consumer, name, ['--skipLibCheck', 'false', ...options]);
  });

  test('compile with a compiler that ignores exports', async () => {
    cpSync(`${process.cwd()}/packages/pack/test/example.test-d.ts`, join(consumer, 'node10.ts'));
    // TypeScript 7 does not support `moduleResolution: node`, so the test uses an older compiler.
    const older = `${process.cwd()}/packages/testing/node_modules/.bin/tsc`;

    const strict = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'];
    await runIn(consumer, older, [
      ...strict,
      '--module',
      'commonjs',
      '--moduleResolution',
      'node',
      'node10.ts',
    ]);
  });

  test('lead to existing files without exports', async () => {
    const webhooks = join(installed, 'webhooks');
    const { main, types } = JSON.parse(readFileSync(join(webhooks, 'package.json'), 'utf8'));

    expect([main, types].map((file) => statSync(join(webhooks, file)).isFile())).toEqual([true, true]);
  });

  test('include the contract’s descriptions of methods', () => {
    const types = readFileSync(join(installed, 'dist/index.d.cts'), 'utf8');

    expect(types).toContain('Cancel a pending charge.');
    expect(types).toMatch(/^ {2}refund\(id: string, body\?: \w+, options\?: WriteOptions\): Promise</m);
    expect(types).toContain('export interface Charge {');
    expect(types).not.toMatch(/\bany\b(?! |’)/);
  });
});
