import { isTransientDatabaseError } from '@plataforma/data';
import { Refusal } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import type { ErrorRequestHandler, Response } from 'express';
import { SimulatedFault } from '../domain/fault.ts';

/**
 * The reason why a request failed. `unread` means that the request itself is faulty, for example that its
 * body can't be parsed.
 */
type Failure = 'unread' | 'unavailable' | 'internal';

interface LastHandler<P> {
  log: Log;
  /** Returns the refusal in the API's format if the error is an expected refusal, and false otherwise. */
  refuse(error: unknown): P | false;
  ofFailure(failure: Failure): P;
  send(res: Response, problem: P): void;
}

/**
 * Returns an error handler for one of the provider's APIs. `refuse`, `ofFailure` and `send` give the answer
 * the format of that API. The answer contains no internal details.
 */
export function lastHandler<P>({ log, refuse, ofFailure, send }: LastHandler<P>): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    if (res.headersSent) {
      log.error({ err: error }, 'request failed after its response had begun');
      req.socket.destroy();
      return;
    }
    const refused = refuse(error);
    if (refused) return send(res, refused);
    const own = failureOf(error);
    const isDown = own === 'internal' && isTransientDatabaseError(error);
    const failure = isDown ? 'unavailable' : own;
    if (isDown) log.error({ err: error }, 'database unavailable');
    if (failure === 'internal' && !(error instanceof SimulatedFault))
      log.error({ err: error }, 'unexpected error');
    if (failure === 'unavailable') res.setHeader('Retry-After', '2');
    send(res, ofFailure(failure));
  };
}

/** An error of express or of its body parsers has a field `status`, which is 4xx for a faulty request. */
function failureOf(error: unknown): Failure {
  if (error instanceof Refusal) return error.kind === 'unavailable' ? 'unavailable' : 'unread';
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 ? 'unread' : 'internal';
}
