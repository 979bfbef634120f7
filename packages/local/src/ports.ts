import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

// The ports are below the system's range for outgoing connections. Otherwise a client that reconnects to a
// stopped server could occupy the server's port.
const FIRST = 15_000;
const LAST = 31_999;

/**
 * Returns a free loopback port for each wish: the wished port if it is free, otherwise another port. Each
 * port is reserved until this process ends, because a server may be slow to listen. Other processes of this
 * user skip reserved ports. `handed` is a port that the parent process may have reserved for this process.
 */
export async function freePorts(
  wishes: readonly (number | null)[],
  handed: number | null = null,
): Promise<number[]> {
  const listeners: { port: number; listener: Server }[] = [];
  try {
    for (const wish of wishes)
      listeners.push((wish && (await listenOn(wish, handed))) || (await listenOnAny()));
    return listeners.map((one) => one.port);
  } finally {
    await Promise.all(listeners.map((one) => close(one.listener)));
  }
}

export async function freePort(wish: number | null): Promise<number> {
  const [port] = await freePorts([wish]);
  if (port === undefined) throw new Error('no free port');
  return port;
}

async function listenOnAny() {
  for (;;) {
    const listening = await listenOn(FIRST + Math.floor(Math.random() * (LAST - FIRST + 1)));
    if (listening) return listening;
  }
}

async function listenOn(port: number, handed: number | null = null) {
  if (!reserve(port) && port !== handed) return null;
  const listener = createServer();
  try {
    listener.listen(port, '127.0.0.1');
    await once(listener, 'listening');
    return { port, listener };
  } catch {
    return null;
  }
}

/**
 * The folder of reserved ports. Each port has a file, which contains the pid of the process that reserved the
 * port.
 */
const RESERVATIONS = join(tmpdir(), `plataforma-ports-${userInfo().uid}`);

function reserve(port: number): boolean {
  mkdirSync(RESERVATIONS, { recursive: true, mode: 0o700 });
  const file = join(RESERVATIONS, String(port));
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    const holder = holderOf(file);
    if (holder === process.pid) return true;
    if (holder === null || isAlive(holder)) return false;
    rmSync(file, { force: true });
    return reserve(port);
  }
}

/** Returns the pid in the file; null if the file is still empty, or was removed in the meantime. */
function holderOf(file: string): number | null {
  try {
    return Number(readFileSync(file, 'utf8')) || null;
  } catch {
    return null;
  }
}

/** Returns true if a process with this pid exists and belongs to this user. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function close(listener: Server) {
  listener.close();
  await once(listener, 'close');
}
