import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { scratchFolders } from '@plataforma/testing/scratch';

const ROOT = resolve(__dirname, '../../..');
const PROGRAM = join(ROOT, 'packages/lab/src/cut-release/main.ts');
const newFolder = scratchFolders();
const versionOf = (root: string) => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
let root: string;
let current: string;

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

function release(version: string): string {
  try {
    return execFileSync(process.execPath, [PROGRAM, '--root', root, version], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
  } catch (error) {
    return String((error as { stderr?: unknown }).stderr);
  }
}

/** Creates a repository that contains the current files of this repository. */
beforeAll(() => {
  root = newFolder();
  current = versionOf(ROOT);
  const named = execFileSync(
    'git',
    ['grep', '-lF', current, '--', 'package.json', 'packages', 'docs/guide', 'deploy', 'CHANGELOG.md'],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  );
  for (const file of named.trim().split('\n')) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    cpSync(join(ROOT, file), join(root, file));
  }
  git('init', '--quiet');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@example.com');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Begin');
});

test('a release needs a newer version and a clean tree', () => {
  expect(release('next')).toContain('usage');
  expect(release(current)).toContain('is not newer');
  writeFileSync(join(root, 'new-file'), '');
  expect(release('99.0.0')).toContain('commit your changes first');
  execFileSync('rm', [join(root, 'new-file')]);
  expect(versionOf(root)).toBe(current);
});

test('a release updates every version, dates the changelog and is tagged', () => {
  expect(release('99.0.0')).toContain('committed and tagged');

  expect(versionOf(root)).toBe('99.0.0');
  expect(git('describe')).toBe('v99.0.0');
  expect(git('log', '-1', '--format=%s')).toBe('Release 99.0.0');
  expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).toMatch(
    /^## Unreleased\n\n## 99\.0\.0 - \d{4}-\d\d-\d\d\n/m,
  );
  const oldVersion = `"version": "${current}"|VERSION ?= ?'?${current.replaceAll('.', '\\.')}|-${current}.tgz|ersion: "?${current}`;
  expect(() => git('grep', '-nE', oldVersion, '--', ':!CHANGELOG.md')).toThrow();
  expect(release('99.0.1')).toContain('nothing below');
});
