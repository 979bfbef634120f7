import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { scratchFolders } from '@plataforma/testing/scratch';
import { VERSION } from '../src/version.ts';

const newFolder = scratchFolders();
const run = promisify(execFile);
const PACK = fileURLToPath(new URL('../../pack/src/main.ts', import.meta.url));
const MOST_BYTES = { tarball: 32_000, program: 67_000 };
/**
 * The largest allowed processor time at the start, as a multiple of an empty program's. The usual value is
 * 1.5.
 */
const MOST_TIMES_NODE = 1.9;

let folder: string;
let tarball: string;
let program: string;
beforeAll(async () => {
  const packed = newFolder();
  await run(process.execPath, [PACK, packed], { env: { ...process.env, NODE_OPTIONS: '' } });
  folder = newFolder();
  tarball = join(packed, readdirSync(packed).find((name) => name.startsWith('plataforma-cli-')) ?? '');
  await run('tar', ['xzf', tarball, '-C', folder]);
  program = join(folder, 'package/dist/plataforma.js');
}, 400_000);

describe('the tarball of the command line', () => {
  test('is one program of at most 67 kB without dependencies', () => {
    const files = readdirSync(join(folder, 'package'), { recursive: true }).map(String).toSorted();
    const manifest = JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8'));
    const text = readFileSync(program, 'utf8');

    expect(files).toEqual(['LICENSE', 'README.md', 'dist', 'dist/plataforma.js', 'package.json']);
    expect(manifest).toMatchObject({ name: '@plataforma/cli', bin: { plataforma: 'dist/plataforma.js' } });
    expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([]);
    expect(statSync(program).size).toBeLessThanOrEqual(MOST_BYTES.program);
    expect(statSync(tarball).size).toBeLessThanOrEqual(MOST_BYTES.tarball);
    expect(text).toMatch(/^#!\/usr\/bin\/env node\n/);
    const imported = [...text.matchAll(/^import.*?from ?"([^"]+)"|\bimport\("([^"]+)"\)/gm)].map(
      ([, name]) => name,
    );
    expect(imported.filter((name) => !name?.startsWith('node:'))).toEqual([]);
  });

  test.each([[['--version']], [['charges', 'list', '--help']]])(
    'starts with %j in under twice Node’s processor time',
    async (args) => {
      const nothing = join(folder, 'nothing.mjs');
      writeFileSync(nothing, '');

      // Run both programs alternately and compare the minimum of each, because other work on the machine only
      // makes a run slower.
      const least = { own: Number.POSITIVE_INFINITY, ofNode: Number.POSITIVE_INFINITY };
      for (let runs = 0; runs < 12; runs += 1) {
        least.own = Math.min(least.own, (await startedBy(program, args)).cpu);
        least.ofNode = Math.min(least.ofNode, (await startedBy(nothing, [])).cpu);
      }

      expect(least.own / least.ofNode).toBeLessThan(MOST_TIMES_NODE);
    },
    120_000,
  );

  test('starts without modules for processes, encryption, prompts or formatting', async () => {
    const { out, loaded, intl } = await startedBy(program, ['--version']);

    expect(loaded.filter((name) => /^NativeModule (child_process|crypto|readline)\b/.test(name))).toEqual([]);
    expect(intl).toBe(0);
    expect(out).toBe(`${VERSION}\n`);
  });

  test('suggests no installation of an unpublished package', () => {
    const text = readFileSync(program, 'utf8') + readFileSync(join(folder, 'package/README.md'), 'utf8');

    expect(text).not.toMatch(/npx |npm (?:install|i) (?:-g )?@?plataforma/);
  });
});

interface Start {
  out: string;
  /** The processor time of the run in microseconds. */
  cpu: number;
  loaded: string[];
  intl: number;
}

const watching = `import { writeSync } from 'node:fs';
let intl = 0;
for (const name of ['NumberFormat', 'DateTimeFormat'])
  Intl[name] = new Proxy(Intl[name], { construct: (of, args) => ((intl += 1), new of(...args)) });
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  writeSync(2, JSON.stringify({ cpu: user + system, loaded: process.moduleLoadList, intl }));
});`;

async function startedBy(file: string, args: readonly string[]): Promise<Start> {
  const preload = `data:text/javascript,${encodeURIComponent(watching)}`;
  const { stdout: out, stderr } = await run(process.execPath, ['--import', preload, file, ...args], {
    env: { NODE_OPTIONS: '' },
    maxBuffer: 10_000_000,
  });
  return { out, ...JSON.parse(stderr) };
}
