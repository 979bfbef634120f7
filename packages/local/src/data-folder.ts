import { chmod, lstat, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The files and folders that the platform writes in the data folder. The user's other files in the folder
 * keep their permissions.
 */
const ENTRIES = [
  ...['secrets.json', 'platform.json', 'services', 'postgres', 'rabbitmq'],
  ...['docker-postgres', 'docker-rabbitmq', 'cli'],
];
const GROUP_AND_OTHERS = 0o077;
const STICKY = 0o1000;

/**
 * Creates the data folder, or removes the permissions that an earlier release gave to other users of the
 * machine.
 */
export async function closeDataFolder(dataDir: string): Promise<void> {
  const created = await mkdir(dataDir, { recursive: true });
  for (const entry of ENTRIES) await close(join(dataDir, entry));
  const { mode, uid } = await stat(dataDir);
  const isShared = uid !== process.getuid?.() || (mode & STICKY) !== 0;
  if (isShared) return;
  // If this process is root, PostgreSQL runs as another account. The account needs permission to enter the
  // folder, but not to list the files.
  const passing = uid === 0 ? 0o011 : 0;
  await chmod(dataDir, created ? 0o700 | passing : mode & (0o700 | passing));
}

/**
 * Removes the permissions of other users from a file, or from a folder and its content. The folder's own mode
 * changes last. If the folder is private, its content is private too, so the folder is skipped.
 */
async function close(path: string): Promise<void> {
  const entry = await lstat(path).catch(() => null);
  if (!entry || entry.isSymbolicLink() || (entry.mode & GROUP_AND_OTHERS) === 0) return;
  if (entry.isDirectory()) for (const name of await readdir(path)) await close(join(path, name));
  await chmod(path, entry.mode & 0o700).catch((error: NodeJS.ErrnoException) => {
    // A server that an earlier start left running may have removed the file in the meantime.
    if (error.code !== 'ENOENT') throw error;
  });
}
