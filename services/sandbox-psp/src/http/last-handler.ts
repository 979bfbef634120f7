import { isTransientDatabaseError } from '@plataforma/data';
import { Refusal } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import type { ErrorRequestHandler, Response } from 'express';
import { SimulatedFault } from '../domain/fault.ts';

/** `unread`: the request never reached our code. */
type Failure = 'unread' | 'unavailable' | 'internal';

interface LastHandler<P> {
  log: Log;
  /** The API's own "no", if the error is one. */
  refuse(error: unknown): P | false;
  ofFailure(failure: Failure): P;
  send(res: Response, problem: P): void;
}

/** Answers what went wrong in the words of an API, without a word of the inside. */
export function lastHandler<P>({ log, refuse, ofFailure, send }: LastHandler<P>): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    if (res.headersSent) {
      log.error({ err: error }, 'failed after the answer had begun');
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

/** An error of express and its body parsers carries the status it wants. */
function failureOf(error: unknown): Failure {
  if (error instanceof Refusal) return error.kind === 'unavailable' ? 'unavailable' : 'unread';
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 ? 'unread' : 'internal';
}
