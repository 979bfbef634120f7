import type { Database } from '@plataforma/data';
import { whenClosed } from '@plataforma/http';
import type { Request, RequestHandler, Response } from 'express';
import { isRefusable, type Operation, refusalOf, SimulatedFault } from '../domain/fault.ts';
import { takeFault } from '../store/faults.ts';

/** What a door answers: to be sent as JSON, or never. */
export type Reply = { status: number; body: unknown } | typeof SILENCE;

export const SILENCE = Symbol('silence');

const SILENCE_MS = 60_000;
const NO_JSON = '<html><head><title>502 Bad Gateway</title></head><body></body></html>';

/** Serves an operation through its `door`, unless its next call is to go wrong. */
export function underFaults<P>(
  database: Database,
  operation: Operation,
  door: (req: Request<P>) => Promise<Reply>,
): RequestHandler<P> {
  return async (req, res) => {
    switch (await takeFault(database, operation)) {
      case undefined:
        return send(res, await door(req));
      case 'timeout':
        return stayAway(res);
      case 'reset':
        return void req.socket.resetAndDestroy();
      case 'garbage':
        return void res.type('html').send(NO_JSON);
      case 'done_then_500':
        await door(req);
        throw new SimulatedFault();
      case 'refused':
        throw isRefusable(operation) ? refusalOf(operation) : new SimulatedFault();
      case 'error500':
        throw new SimulatedFault();
    }
  };
}

function send(res: Response, reply: Reply): void {
  if (reply === SILENCE) stayAway(res);
  else res.status(reply.status).json(reply.body);
}

/** Hangs up after a minute, unless the caller has by then. */
function stayAway(res: Response): void {
  const end = setTimeout(() => res.destroy(), SILENCE_MS).unref();
  whenClosed(res, () => clearTimeout(end));
}
