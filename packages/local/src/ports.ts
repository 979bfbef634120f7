import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

// Below the range from which the system picks ports for outgoing connections: a client that keeps
// reconnecting to a stopped server could otherwise be given the server's own port, and occupy it.
const FIRST = 15_000;
const LAST = 31_999;

/**
 * Free loopback ports, one per entry: the wished one when it is still free, else another. Until this process ends no
 * other process of this user is given them here: a server may take a while to listen. `handed` is a port that the
 * caller of this process chose for it, and may have reserved itself.
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

/** A file a port, with the number of the process that has it. */
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

/** Null: it is being written, or was removed this moment. */
function holderOf(file: string): number | null {
  try {
    return Number(readFileSync(file, 'utf8')) || null;
  } catch {
    return null;
  }
}

/** Whether a process of this user has this number. */
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
