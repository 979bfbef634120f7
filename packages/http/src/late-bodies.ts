import type { Server } from 'node:http';
import type { Log } from '@plataforma/observe';
import { hasBody } from './body-type.ts';
import { createSlots } from './bulkhead.ts';
import type { ConnectionLimit } from './connection-limit.ts';
import { LEAVES } from './pools.ts';
import { summarizer } from './summary.ts';

/** A body that is incomplete this long after its request began is late. */
const LATE_MS = 1_000;
const SLOTS = { total: 2_048, perHolder: 64, leaves: LEAVES };
const QUIET_MS = 60_000;

/**
 * Closes the connection of a late body when its caller has no slot left for it. Otherwise a caller that ends
 * thousands of unfinished requests at once would delay all others.
 */
export function limitLateBodies(server: Server, log: Log, { callerOf }: ConnectionLimit): void {
  const takeSlot = createSlots(SLOTS);
  const recordRefusal = summarizer(QUIET_MS, (refused) =>
    log.warn({ refused }, 'late bodies refused: the address has reached its limit'),
  );
  server.on('request', (req) => {
    const caller = hasBody(req) ? callerOf(req.socket.remoteAddress ?? '') : null;
    if (caller === null) return;
    const late = setTimeout(() => {
      // A complete body may still be unread.
      if (req.complete) return;
      const giveBack = takeSlot(caller);
      if (giveBack) {
        req.once('close', giveBack);
        return;
      }
      recordRefusal();
      req.socket.destroy();
    }, LATE_MS);
    req.once('close', () => clearTimeout(late));
  });
}
