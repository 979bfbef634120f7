import type { ServerResponse } from 'node:http';

/** Runs the listener when the response closes; at once if it is closed, because `close` comes only once. */
export function whenClosed(res: ServerResponse, listener: () => void): void {
  if (res.destroyed) listener();
  else res.once('close', listener);
}
