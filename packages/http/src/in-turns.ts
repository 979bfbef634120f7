import type { IncomingMessage, ServerResponse } from 'node:http';

export type Handle = (req: IncomingMessage, res: ServerResponse) => void;

/** For so long requests begin in one turn of the event loop, of which each accepts one new connection. */
const BEGINNING_MS = 10;

/**
 * Begins requests at once as long as a turn of the event loop has time for it. Further ones wait for the next turns, in which
 * addresses take turns, so that neither new connections nor other callers wait for all requests of one address.
 */
export function inTurns(handle: Handle): Handle {
  const lines = new Map<string, Parameters<Handle>[]>();
  let endsAt: number | undefined;

  function beginTurn(): void {
    endsAt = performance.now() + BEGINNING_MS;
    setImmediate(() => {
      endsAt = undefined;
      if (lines.size > 0) beginWaiting();
    });
  }

  const hasTime = () => {
    if (endsAt === undefined) beginTurn();
    return performance.now() < (endsAt ?? 0);
  };

  function beginWaiting(): void {
    for (const [address, line] of lines) {
      if (!hasTime()) return;
      const next = line.shift();
      // The address goes to the end.
      lines.delete(address);
      if (line.length > 0) lines.set(address, line);
      if (next && !next[1].destroyed) handle(...next);
    }
  }

  return (req, res) => {
    if (lines.size === 0 && hasTime()) {
      handle(req, res);
      return;
    }
    const address = req.socket.remoteAddress ?? '';
    const line = lines.get(address);
    if (line) line.push([req, res]);
    else lines.set(address, [[req, res]]);
    hasTime();
  };
}
