import type { Server } from 'node:http';
import type { Log } from '@plataforma/observe';
import { hasBody } from './body-type.ts';
import { createSlots } from './bulkhead.ts';
import type { ConnectionLimit } from './connection-limit.ts';
import { LEAVES } from './pools.ts';
import { summarizer } from './summary.ts';

/** The time after which an incomplete body counts as late. It starts with the request. */
const LATE_MS = 1_000;
const SLOTS = { total: 2_048, perHolder: 64, leaves: LEAVES };
const QUIET_MS = 60_000;

/**
 * Closes the connection of a late body when its caller has no free slot for late bodies. Otherwise one caller
 * could hold thousands of unfinished requests, end them at the same moment, and delay all other callers.
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
      // The body may be complete although no handler has read it yet.
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
