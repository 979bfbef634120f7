import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MissingServer } from './server.ts';

const run = promisify(execFile);

/**
 * The folder of unpacked programs. All working copies of this repository that belong to one user share the
 * folder.
 */
export const cacheFolder = () => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'plataforma');

/**
 * Unpacks packages of the machine's Linux distribution, calls `use`, and deletes the unpacked files. `use`
 * must move the files that it needs to another folder of the cache. `files` are the downloaded packages;
 * their names contain the version. Throws `MissingServer` if apt-get can't fetch the packages.
 */
export async function withUnpacked<T>(
  packages: readonly string[],
  use: (unpacked: { root: string; files: readonly string[] }) => Promise<T>,
): Promise<T> {
  const cache = cacheFolder();
  await mkdir(cache, { recursive: true });
  const temporary = await mkdtemp(join(cache, 'unpacking-'));
  try {
    const root = join(temporary, 'root');
    const files = await download(temporary, packages);
    for (const file of files) await run('dpkg', ['-x', file, root]);
    return await use({ root, files });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function download(folder: string, packages: readonly string[]): Promise<string[]> {
  try {
    return await downloadInto(join(folder, 'known'), packages, []);
  } catch {
    return await downloadWithFreshLists(folder, packages);
  }
}

// Downloads with new package lists, because the machine's lists are missing or outdated. The lists are in a
// folder of their own, so this needs no root and leaves the machine's lists unchanged.
async function downloadWithFreshLists(folder: string, packages: readonly string[]): Promise<string[]> {
  const lists = join(folder, 'lists');
  const settings = [`Dir::State::lists=${lists}`, `Dir::Cache=${folder}`, 'APT::Sandbox::User=root'];
  const options = settings.flatMap((setting) => ['-o', setting]);
  try {
    await mkdir(join(lists, 'partial'), { recursive: true });
    await run('apt-get', [...options, 'update']);
    return await downloadInto(join(folder, 'updated'), packages, options);
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : error;
    throw new MissingServer(`not on this machine, and apt-get cannot fetch its packages (${reason})`);
  }
}

async function downloadInto(
  folder: string,
  packages: readonly string[],
  options: readonly string[],
): Promise<string[]> {
  await mkdir(folder);
  await run('apt-get', [...options, 'download', ...packages], { cwd: folder });
  return (await readdir(folder)).filter((name) => name.endsWith('.deb')).map((name) => join(folder, name));
}
