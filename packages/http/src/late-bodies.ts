import type { Server } from 'node:http';
import type { Log } from '@plataforma/observe';
import { hasBody } from './body-type.ts';
import { createSlots } from './bulkhead.ts';
import type { ConnectionLimit } from './connection-limit.ts';
import { LEAVES } from './pools.ts';
import { summarizer } from './summary.ts';

/** A body that is not whole so long after its request began is late. */
const LATE_MS = 1_000;
const SLOTS = { total: 2_048, perHolder: 64, leaves: LEAVES };
const QUIET_MS = 60_000;

/**
 * Hangs up on a late body whose caller has all slots for such bodies, because callers that hang up on thousands of
 * unfinished requests at once keep all others waiting.
 */
export function limitLateBodies(server: Server, log: Log, { callerOf }: ConnectionLimit): void {
  const takeSlot = createSlots(SLOTS);
  const recordRefusal = summarizer(QUIET_MS, (refused) =>
    log.warn({ refused }, 'late bodies are refused: an address has as many as it may have'),
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
