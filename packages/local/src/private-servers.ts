import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { type RabbitmqServer, startPrivateRabbitmq } from './private-rabbitmq.ts';
import type { Server } from './server.ts';

/** A server of a test's own that can die and come back, at the same address and with the same data. */
export interface PrivateServer {
  readonly url: string;
  readonly pid: number | null;
  /** SIGKILL. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

export interface PrivateBroker extends PrivateServer {
  /** Runs `rabbitmqctl` on it; answers what that says. */
  control(...args: string[]): Promise<string>;
}

export function startPrivatePostgres(dir: string): Promise<PrivateServer> {
  return restartable(() => startEmbeddedPostgres(dir));
}

/** A queue survives `kill` only if it was declared some five seconds before. */
export async function startPrivateBroker(dir: string): Promise<PrivateBroker> {
  let running: RabbitmqServer;
  const server = await restartable(async () => {
    running = await startPrivateRabbitmq({ dir, vhosts: 0, say: () => {} });
    return running;
  });
  return Object.assign(server, { control: (...args: string[]) => running.control(...args) });
}

async function restartable(startServer: () => Promise<Server>): Promise<PrivateServer> {
  let server = await startServer();
  return {
    get url() {
      return server.url;
    },
    get pid() {
      return server.pid;
    },
    kill: () => server.kill(),
    stop: () => server.stop(),
    async start() {
      const before = server.url;
      server = await startServer();
      if (server.url === before) return;
      await server.stop();
      throw new Error(`the address of ${before} was taken in the meantime`);
    },
  };
}
