import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * How a COMMIT's answer is lost. `broken`: its connection breaks. `away`: all connections break and new ones
 * fail. `held`: the answer never arrives.
 */
type Loss = 'broken' | 'away' | 'held';

export interface ForgetfulDatabase {
  /** The URL of the database behind the proxy. */
  url: string;
  /**
   * Loses the answer to the next COMMIT of a transaction whose statements contain `text`. Resolves after the
   * database has committed.
   */
  loseCommitOf(text: string, loss: Loss): Promise<void>;
  stop(): Promise<void>;
}

interface Plan {
  text: string;
  loss: Loss;
  isLost(): void;
}

/** Starts a proxy in front of PostgreSQL that can lose the answer to a COMMIT. */
export async function startForgetfulDatabase(databaseUrl: string): Promise<ForgetfulDatabase> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let plan: Plan | undefined;
  let isAway = false;

  const server = createServer((client) => {
    if (isAway) return void client.destroy();
    const upstream = connect(Number(port), hostname);
    let hasSpokenOfIt = false;
    let losing: Plan | undefined;
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (chunk) => {
      // Reset the flag at BEGIN, because an earlier transaction of this connection may have contained
      // `plan.text`.
      if (chunk.includes('BEGIN\0')) hasSpokenOfIt = false;
      if (plan && chunk.includes(plan.text)) hasSpokenOfIt = true;
      if (plan && hasSpokenOfIt && chunk.includes('COMMIT\0')) {
        losing = plan;
        plan = undefined;
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (!losing) return void client.write(chunk);
      if (losing.loss === 'broken') client.destroy();
      if (losing.loss === 'away') {
        isAway = true;
        for (const socket of sockets) socket.destroy();
      }
      losing.isLost();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');

  return {
    url: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${address.port}` }).href,
    loseCommitOf(text, loss) {
      const lost = Promise.withResolvers<void>();
      plan = { text, loss, isLost: lost.resolve };
      return lost.promise;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
