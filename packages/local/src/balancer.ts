import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Balancer {
  stop(): Promise<void>;
}

interface Replica {
  url: string;
  port: number;
  isReady: boolean;
}

const CHECK_EVERY_MS = 500;
const CHECK_TIMEOUT_MS = 2_000;

/**
 * Starts a balancer: one address for several replicas on this machine, like a Kubernetes Service. Each new
 * connection is sent to the next replica whose /readyz answers 200, or to the next of all replicas if none is
 * ready. An open connection stays with its replica. The balancer does not parse requests.
 */
export async function startBalancer(port: number, urls: readonly string[]): Promise<Balancer> {
  const replicas = urls.map((url): Replica => ({ url, port: Number(new URL(url).port), isReady: false }));
  const open = new Set<Socket>();
  let nextIndex = 0;

  function rotated(): Replica[] {
    nextIndex += 1;
    const ready = replicas.filter(({ isReady }) => isReady);
    const all = ready.length > 0 ? ready : replicas;
    const first = nextIndex % all.length;
    return [...all.slice(first), ...all.slice(0, first)];
  }

  /**
   * Connects to the next replica that accepts the connection. After a refused connection the balancer may try
   * the next replica, because no byte was sent to the first one.
   */
  async function reach(): Promise<Socket | null> {
    for (const replica of rotated()) {
      const socket = await connected(replica.port);
      if (socket) return socket;
      replica.isReady = false;
    }
    return null;
  }

  async function pass(caller: Socket): Promise<void> {
    const ends = (socket: Socket) => socket.once('close', () => open.delete(socket));
    open.add(ends(caller));
    // Without this listener an error of the caller's socket would end the process, because `join` adds its
    // own listeners later.
    caller.on('error', () => undefined);
    const replica = await reach();
    if (!replica || caller.destroyed) {
      caller.destroy();
      replica?.destroy();
      return;
    }
    open.add(ends(replica));
    join(caller, replica);
    join(replica, caller);
  }

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (caller) => void pass(caller));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const stopping = new AbortController();
  const watching = replicas.map((replica) => watch(replica, stopping.signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(watching);
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Returns a connection to the port, or null if the port refuses the connection. */
async function connected(port: number): Promise<Socket | null> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  try {
    await once(socket, 'connect');
    return socket;
  } catch {
    return null;
  }
}

/**
 * Copies the bytes from one socket to the other. If `from` ends in order, `to` ends in order; if `from`
 * fails, `to` is reset.
 */
function join(from: Socket, to: Socket): void {
  from.on('error', () => to.resetAndDestroy());
  from.on('close', () => {
    if (!from.readableEnded) to.destroy();
  });
  from.pipe(to);
}

async function watch(replica: Replica, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    replica.isReady = await isReady(replica.url);
    await sleep(CHECK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) });
    await response.text();
    return response.ok;
  } catch {
    return false;
  }
}
