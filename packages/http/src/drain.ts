import type { Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Drain {
  hasBegun(): boolean;
  /**
   * Begins the drain. For `drainMs` the server still takes all requests, and answers with `Connection: close`
   * so that callers give up idle connections. Then it takes no new request, and lets the open requests
   * finish. Eight seconds after the beginning it cuts the remaining connections.
   */
  begin(): Promise<void>;
}

/**
 * The time after which the drain cuts open connections. A process must end within ten seconds, and needs two
 * of them to close its other resources.
 */
const CUT_AFTER_MS = 8_000;
const SWEEP_INTERVAL_MS = 50;

export function drainOf(server: Server, drainMs: number): Drain {
  const unfinished = new Set<ServerResponse>();
  let hasBegun = false;
  server.prependListener('request', (_req, res) => {
    unfinished.add(res);
    res.once('close', () => unfinished.delete(res));
    if (hasBegun) endAfter(res);
  });
  return {
    hasBegun: () => hasBegun,
    async begin() {
      hasBegun = true;
      const cut = setTimeout(() => server.closeAllConnections(), CUT_AFTER_MS);
      for (const res of unfinished) endAfter(res);
      if (drainMs > 0) await sleep(drainMs);
      await close(server);
      clearTimeout(cut);
    },
  };
}

function endAfter(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close');
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // The server closes idle connections repeatedly, because a connection that still sends an answer becomes
    // idle later.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_INTERVAL_MS);
    server.close(() => {
      clearInterval(sweep);
      resolve();
    });
  });
}
