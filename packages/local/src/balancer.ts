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
 * Starts a balancer: one address for several replicas on this machine, like a Kubernetes Service. New
 * connections go in turn to the replicas whose /readyz answers 200; open ones stay with their replica. It
 * does not parse requests. If no replica is ready, all count as ready.
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
   * Connects to the next replica that accepts. A refused connection sent nothing, so that the next replica
   * may have it.
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
    // Until `join` adds its listeners, an error of the caller would have no listener.
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

/** Returns null if the port refuses the connection. */
async function connected(port: number): Promise<Socket | null> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  try {
    await once(socket, 'connect');
    return socket;
  } catch {
    return null;
  }
}

/** Pipes one side to the other. An orderly end is passed on as an end, an error as a reset. */
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
