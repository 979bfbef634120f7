import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { lastRelease, nameOfCommit } from '../../../src/chaos/upgrade/checkout.ts';

let repository: string;

beforeEach(() => {
  repository = mkdtempSync(join(tmpdir(), 'plataforma-git-'));
  git('init', '--quiet');
});
afterEach(() => rmSync(repository, { recursive: true, force: true }));

const who = ['-c', 'user.name=test', '-c', 'user.email=test@plataforma.test', '-c', 'commit.gpgSign=false'];

function git(...args: string[]): string {
  return execFileSync('git', [...who, ...args], { cwd: repository, encoding: 'utf8' }).trim();
}

function commit(manifest: object): string {
  writeFileSync(join(repository, 'package.json'), JSON.stringify(manifest, null, 2));
  git('add', '.');
  git('commit', '--quiet', '--message', 'a change');
  return git('rev-parse', '--short', 'HEAD');
}

test('the last release is the newest commit with a higher version', async () => {
  commit({ version: '0.1.0' });
  commit({ version: '0.2.0' });
  const raised = commit({ version: '0.3.0' });
  commit({ version: '0.3.0', description: 'another one' });

  expect(await lastRelease(repository)).toBe(raised);
});

test('the commit of the first version is no release', async () => {
  commit({ version: '0.1.0' });
  commit({ version: '0.1.0', description: 'another one' });

  expect(await lastRelease(repository)).toBeNull();
});

test('an unknown commit is named in the error', async () => {
  const first = commit({ version: '0.1.0' });

  expect(await nameOfCommit('HEAD', repository)).toBe(first);
  await expect(nameOfCommit('nothing', repository)).rejects.toThrow('this repository has no commit nothing');
});
