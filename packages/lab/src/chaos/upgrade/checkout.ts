import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runPnpm } from '@plataforma/testing';
import { z } from 'zod';

export interface Checkout {
  readonly root: string;
  remove(): Promise<void>;
}

const here = fileURLToPath(new URL('../../../../..', import.meta.url));
const run = promisify(execFile);

async function git(repository: string, ...args: string[]): Promise<string> {
  return (await run('git', args, { cwd: repository })).stdout.trim();
}

/** Returns the short name of a commit. Throws if this repository does not contain the commit. */
export async function nameOfCommit(commit: string, repository = here): Promise<string> {
  try {
    return await git(
      repository,
      'rev-parse',
      '--short',
      '--verify',
      '--end-of-options',
      `${commit}^{commit}`,
    );
  } catch {
    throw new Error(`this repository has no commit ${commit}`);
  }
}

/** Checks a commit out into a new folder, and installs the packages of that commit. */
export async function checkOut(commit: string, root: string): Promise<Checkout> {
  const archive = `${root}.tar`;
  await mkdir(root);
  await git(here, 'archive', '--format=tar', `--output=${archive}`, commit);
  await run('tar', ['-xf', archive, '-C', root]);
  await rm(archive);
  await runPnpm(['install', '--frozen-lockfile', '--prefer-offline', '--prod'], root);
  return { root, remove: () => rm(root, { recursive: true, force: true }) };
}

const manifest = z.object({ version: z.string() });

/** Returns the newest commit that changed the version in the root's `package.json`, or null. */
export async function lastRelease(repository = here): Promise<string | null> {
  const versionAt = (commit: string) => readVersion(repository, commit);
  const touched = await git(repository, 'log', '--format=%h', '-G"version":', '--', 'package.json');
  for (const commit of touched.split('\n').filter((line) => line !== '')) {
    const [before, after] = [await versionAt(`${commit}^`), await versionAt(commit)];
    if (before !== null && before !== after) return commit;
  }
  return null;
}

async function readVersion(repository: string, commit: string): Promise<string | null> {
  const text = await git(repository, 'show', `${commit}:package.json`).catch(() => null);
  return text === null ? null : manifest.parse(JSON.parse(text)).version;
}
