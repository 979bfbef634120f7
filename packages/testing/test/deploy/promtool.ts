import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Prometheus’ own checker: the machine's, else one unpacked from its distribution's package into the user's cache. */
export async function findPromtool(): Promise<string> {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const own = folders.map((folder) => join(folder, 'promtool')).find((file) => existsSync(file));
  if (own) return own;
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'plataforma');
  const target = join(cache, 'promtool');
  if (!existsSync(target)) await unpack(cache, target);
  return target;
}

async function unpack(cache: string, target: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const temporary = await mkdtemp(join(cache, 'unpacking-'));
  try {
    await run('dpkg', ['-x', await download(temporary), join(temporary, 'root')]);
    // Whoever comes second puts the same bytes in the place of the same bytes; nobody sees half a file.
    await rename(join(temporary, 'root/usr/bin/promtool'), target);
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : error;
    throw new Error(`promtool is not on this machine, and apt-get cannot fetch it (${reason})`);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function download(folder: string): Promise<string> {
  try {
    return await downloadWith(join(folder, 'known'), []);
  } catch {
    // The machine's package lists are missing or outdated. Lists of our own need no root, and change nothing.
    const lists = join(folder, 'lists');
    await mkdir(join(lists, 'partial'), { recursive: true });
    const settings = [`Dir::State::lists=${lists}`, `Dir::Cache=${folder}`, 'APT::Sandbox::User=root'];
    const options = settings.flatMap((setting) => ['-o', setting]);
    await run('apt-get', [...options, 'update']);
    return await downloadWith(join(folder, 'updated'), options);
  }
}

async function downloadWith(folder: string, options: string[]): Promise<string> {
  await mkdir(folder);
  await run('apt-get', [...options, 'download', 'prometheus'], { cwd: folder });
  const [file] = await readdir(folder);
  if (file === undefined) throw new Error('apt-get brought nothing');
  return join(folder, file);
}
