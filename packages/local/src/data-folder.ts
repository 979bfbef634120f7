import { chmod, lstat, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The entries that a start writes, because the folder may also hold the user's other files. */
const ENTRIES = [
  ...['secrets.json', 'platform.json', 'services', 'postgres', 'rabbitmq'],
  ...['docker-postgres', 'docker-rabbitmq', 'cli'],
];
const GROUP_AND_OTHERS = 0o077;
const STICKY = 0o1000;

/** Creates the data folder, and removes the other users' rights that an earlier release gave. */
export async function closeDataFolder(dataDir: string): Promise<void> {
  const created = await mkdir(dataDir, { recursive: true });
  for (const entry of ENTRIES) await close(join(dataDir, entry));
  const { mode, uid } = await stat(dataDir);
  const isShared = uid !== process.getuid?.() || (mode & STICKY) !== 0;
  if (isShared) return;
  // As root, PostgreSQL runs as another account, which must enter this folder but must not list it.
  const passing = uid === 0 ? 0o011 : 0;
  await chmod(dataDir, created ? 0o700 | passing : mode & (0o700 | passing));
}

/** Closes the content before the folder, so that a closed folder needs no search. */
async function close(path: string): Promise<void> {
  const entry = await lstat(path).catch(() => null);
  if (!entry || entry.isSymbolicLink() || (entry.mode & GROUP_AND_OTHERS) === 0) return;
  if (entry.isDirectory()) for (const name of await readdir(path)) await close(join(path, name));
  await chmod(path, entry.mode & 0o700).catch((error: NodeJS.ErrnoException) => {
    // A running server of an earlier start may remove its files meanwhile.
    if (error.code !== 'ENOENT') throw error;
  });
}
