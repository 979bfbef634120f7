import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { hasBody } from './body-type.ts';
import { cutOff } from './cut-off.ts';
import type { Handle } from './fair-queue.ts';
import { joinPieces } from './pieces.ts';
import { whenClosed } from './when-closed.ts';

/**
 * The maximum number of pipelined requests that may wait on a connection. Our clients send none, but one read
 * of 64 KiB may contain a thousand.
 */
const MAX_PIPELINED = 2;
/**
 * The maximum number of headers of a waiting request. The headers hold memory until the request is handled.
 */
const MAX_WAITING_HEADERS = 100;

/**
 * Handles the requests of a connection one after the other. If a pipelined request has a body, the server
 * closes the connection, because a waiting body would fill memory.
 */
export function oneAtATime(handle: Handle): { handleOne: Handle; isBusy: (socket: Duplex) => boolean } {
  const lines = new WeakMap<Duplex, Parameters<Handle>[]>();

  function begin(line: Parameters<Handle>[], [req, res]: Parameters<Handle>): void {
    whenClosed(res, () => {
      const next = line.shift();
      if (!next) lines.delete(req.socket);
      else if (!req.socket.destroyed && !isLast(res)) begin(line, next);
    });
    handle(req, res);
  }

  const handleOne: Handle = (req, res) => {
    joinPieces(req);
    const line = lines.get(req.socket);
    const isTooMuch = (waiting: unknown[]) =>
      waiting.length >= MAX_PIPELINED || req.rawHeaders.length > 2 * MAX_WAITING_HEADERS || hasBody(req);
    if (line && isTooMuch(line)) cutOff(req.socket);
    else if (line) line.push([req, res]);
    else {
      const own: Parameters<Handle>[] = [];
      lines.set(req.socket, own);
      begin(own, [req, res]);
    }
  };
  return { handleOne, isBusy: (socket) => lines.has(socket) };
}

/**
 * Returns true when the connection closes after this answer. The server then begins no later request of the
 * connection.
 */
function isLast(res: ServerResponse): boolean {
  return !res.shouldKeepAlive || res.getHeader('connection') === 'close';
}
