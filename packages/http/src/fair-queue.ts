import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Caller, createLines } from './lines.ts';

export type Handle = (req: IncomingMessage, res: ServerResponse) => void;

/** The time in which one round may start requests; a round is one pass of the event loop. */
const ROUND_MS = 10;
/**
 * The maximum number of successive rounds that start no waiting request because they accepted a connection.
 */
const MAX_YIELDED_ROUNDS = 8;

type Request = Parameters<Handle>;

interface FairQueue {
  handle: Handle;
  callerOf: (socket: Socket) => Caller;
}

/**
 * Creates a queue that starts a request at once while the current round (one pass of the event loop) has
 * time. Other requests wait for later rounds, in which groups of callers (neighbourhoods) take turns. A round
 * that accepted a connection starts no waiting request, so that the backlog of connections shrinks.
 */
export function createFairQueue({ handle, callerOf }: FairQueue): {
  start: Handle;
  recordAccepted: () => void;
} {
  const lines = createLines<Request>();
  let endsAt: number | undefined;
  let hasAccepted = false;
  let yielded = 0;

  function startRound(): void {
    endsAt = performance.now() + ROUND_MS;
    setImmediate(() => {
      endsAt = undefined;
      const mayStart = maxToStart();
      hasAccepted = false;
      if (!lines.isEmpty()) startWaiting(mayStart);
    });
  }

  function maxToStart(): number {
    if (!hasAccepted) {
      yielded = 0;
      return Number.POSITIVE_INFINITY;
    }
    yielded = (yielded + 1) % (MAX_YIELDED_ROUNDS + 1);
    return yielded === 0 ? 1 : 0;
  }

  const hasTime = () => {
    if (endsAt === undefined) startRound();
    return performance.now() < (endsAt ?? 0);
  };

  function startWaiting(most: number): void {
    for (let begun = 0; hasTime() && begun < most; ) {
      const next = lines.next();
      if (!next) return;
      if (next[1].destroyed) continue;
      begun += 1;
      handle(...next);
    }
  }

  return {
    start(req, res) {
      if (hasTime() && lines.isEmpty() && !hasAccepted) handle(req, res);
      else lines.add(callerOf(req.socket), [req, res]);
    },
    recordAccepted() {
      hasTime();
      hasAccepted = true;
    },
  };
}
