import type { ServerResponse } from 'node:http';

/**
 * Runs the listener when the response closes. Runs it at once for a closed response, because `close` is
 * emitted only once.
 */
export function whenClosed(res: ServerResponse, listener: () => void): void {
  if (res.destroyed) listener();
  else res.once('close', listener);
}
