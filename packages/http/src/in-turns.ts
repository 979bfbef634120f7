import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Caller, createLines } from './lines.ts';

export type Handle = (req: IncomingMessage, res: ServerResponse) => void;

/** For so long requests begin in one turn of the event loop. */
const BEGINNING_MS = 10;
/** In so many turns in a row no waiting request begins, because each has accepted a connection. */
const MOST_YIELDED = 8;

type Request = Parameters<Handle>;

interface InTurns {
  handle: Handle;
  callerOf: (socket: Socket) => Caller;
}

/**
 * Begins requests at once as long as a turn of the event loop has time for it. Further ones wait for the next turns, in
 * which neighbourhoods and callers take turns, so that no caller waits for all requests of another. A turn accepts one
 * connection, and more may wait behind it: such a turn begins no waiting request, or one after eight of them, so that the
 * line of new connections moves faster than one caller can fill it.
 */
export function inTurns({ handle, callerOf }: InTurns): { begin: Handle; noteAccepted: () => void } {
  const lines = createLines<Request>();
  let endsAt: number | undefined;
  let hasAccepted = false;
  let yielded = 0;

  function startTurn(): void {
    endsAt = performance.now() + BEGINNING_MS;
    setImmediate(() => {
      endsAt = undefined;
      const mayBegin = mostToBegin();
      hasAccepted = false;
      if (!lines.isEmpty()) beginWaiting(mayBegin);
    });
  }

  function mostToBegin(): number {
    if (!hasAccepted) {
      yielded = 0;
      return Number.POSITIVE_INFINITY;
    }
    yielded = (yielded + 1) % (MOST_YIELDED + 1);
    return yielded === 0 ? 1 : 0;
  }

  const hasTime = () => {
    if (endsAt === undefined) startTurn();
    return performance.now() < (endsAt ?? 0);
  };

  function beginWaiting(most: number): void {
    for (let begun = 0; hasTime() && begun < most; ) {
      const next = lines.next();
      if (!next) return;
      if (next[1].destroyed) continue;
      begun += 1;
      handle(...next);
    }
  }

  return {
    begin(req, res) {
      if (hasTime() && lines.isEmpty() && !hasAccepted) handle(req, res);
      else lines.add(callerOf(req.socket), [req, res]);
    },
    noteAccepted() {
      hasTime();
      hasAccepted = true;
    },
  };
}
