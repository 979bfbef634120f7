import type { Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Drain {
  hasBegun(): boolean;
  /**
   * For `drainMs` everything is still taken, and every answer says `Connection: close`: whoever sends us requests has
   * that long to notice, and to give up connections that are idle. Then nothing new is taken, what runs may finish,
   * and what is left eight seconds after the beginning is cut.
   */
  begin(): Promise<void>;
}

/** A process ends within ten seconds; two are left for what it closes after its server. */
const CUT_AFTER_MS = 8_000;
const SWEEP_INTERVAL_MS = 50;

export function drainOf(server: Server, drainMs: number): Drain {
  const unfinished = new Set<ServerResponse>();
  let hasBegun = false;
  // Ahead of all that may answer.
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

/** The header can be set until the answer begins; of one that has begun, its caller was not told. */
function endAfter(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close');
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // A connection that was answering when the stop came is idle only later.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_INTERVAL_MS);
    server.close(() => {
      clearInterval(sweep);
      resolve();
    });
  });
}
