import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

// Below the range from which the system picks ports for outgoing connections: a client that keeps
// reconnecting to a stopped server could otherwise be given the server's own port, and occupy it.
const FIRST = 15_000;
const LAST = 31_999;

/** Free loopback ports, one per entry: the wished one when it is still free, else another. */
export async function freePorts(wishes: readonly (number | null)[]): Promise<number[]> {
  const held: { port: number; listener: Server }[] = [];
  try {
    for (const wish of wishes) held.push((wish && (await hold(wish))) || (await holdAny()));
    return held.map((one) => one.port);
  } finally {
    await Promise.all(held.map((one) => close(one.listener)));
  }
}

export async function freePort(wish: number | null): Promise<number> {
  const [port] = await freePorts([wish]);
  if (port === undefined) throw new Error('no free port');
  return port;
}

async function holdAny() {
  for (;;) {
    const held = await hold(FIRST + Math.floor(Math.random() * (LAST - FIRST + 1)));
    if (held) return held;
  }
}

async function hold(port: number) {
  const listener = createServer();
  try {
    listener.listen(port, '127.0.0.1');
    await once(listener, 'listening');
    return { port, listener };
  } catch {
    return null;
  }
}

async function close(listener: Server) {
  listener.close();
  await once(listener, 'close');
}
