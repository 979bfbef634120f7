import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseEnv } from 'node:util';
import pg from 'pg';

export function descendantsOf(pid: number): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = all.flatMap((name) => {
    const [, parent] = /^PPid:\s+(\d+)/m.exec(textOf(`/proc/${name}/status`)) ?? [];
    return parent ? [{ pid: Number(name), parent: Number(parent) }] : [];
  });
  const childrenOf = (parent: number): number[] =>
    parents.filter((each) => each.parent === parent).flatMap((each) => [each.pid, ...childrenOf(each.pid)]);
  return childrenOf(pid);
}

/** Returns the text of a file, or an empty text if the process to which the file belongs has ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Returns the names in a folder, or an empty list if the process to which the folder belongs has ended. */
function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}

/**
 * Returns the arguments of a process, and the environment with which it was started. The operating system
 * shows both while the process runs.
 */
export const shownOf = (pid: number): string =>
  textOf(`/proc/${pid}/environ`) + textOf(`/proc/${pid}/cmdline`);

export function portsOf(pids: readonly number[]): number[] {
  const files = pids.flatMap((pid) =>
    entriesOf(`/proc/${pid}/fd`).map((name) => linkOf(`/proc/${pid}/fd/${name}`)),
  );
  const listening = ['tcp', 'tcp6'].flatMap((kind) =>
    [...textOf(`/proc/net/${kind}`).matchAll(/:([\dA-F]{4}) \S+ 0A (?:\S+ +){5}(\d+)/g)].flatMap(
      ([, port = '', inode]) => (files.includes(`socket:[${inode}]`) ? [Number.parseInt(port, 16)] : []),
    ),
  );
  return [...new Set(listening)].sort((one, other) => one - other);
}

/** Returns the ports of PostgreSQL and RabbitMQ, which do not speak HTTP. */
export const serverPortsIn = (dataDir: string): number[] =>
  ['postgres', 'rabbitmq'].flatMap(
    (server) => JSON.parse(readFileSync(join(dataDir, server, 'settings.json'), 'utf8')).ports,
  );

export function secretsIn(dataDir: string): string[] {
  const found: string[] = [];
  for (const file of ['secrets.json', 'postgres/settings.json', 'rabbitmq/settings.json']) {
    JSON.parse(readFileSync(join(dataDir, file), 'utf8'), (name, value) => {
      if (typeof value === 'string' && !['publicKey', 'email'].includes(name)) found.push(value);
      return value;
    });
  }
  return found;
}

export const settingsIn = (dataDir: string, service: string): string =>
  readFileSync(join(dataDir, 'services', service, `${service}.env`), 'utf8');

/**
 * Returns the databases to which a connection succeeds with any of the PostgreSQL URLs in a settings file.
 */
export async function openedBy(settings: string, databases: readonly string[]): Promise<string[]> {
  const urls = Object.values(parseEnv(settings)).flatMap((value) => value?.match(/^postgres\S+/) ?? []);
  const tried = urls.flatMap((url) =>
    databases.map(async (database) => {
      const client = new pg.Client({
        connectionString: Object.assign(new URL(url), { pathname: `/${database}` }).href,
      });
      const isOpen = await client.connect().then(
        () => true,
        () => false,
      );
      await client.end();
      return isOpen ? [database] : [];
    }),
  );
  return (await Promise.all(tried)).flat();
}

/** Returns the files and folders for which the group or other users have any permission. */
export function openToOthers(dataDir: string): string[] {
  return readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dataDir, name))
    .filter((path) => {
      const entry = lstatSync(path, { throwIfNoEntry: false });
      return entry !== undefined && !entry.isSymbolicLink() && (entry.mode & 0o077) !== 0;
    })
    .map((path) => relative(dataDir, path));
}
