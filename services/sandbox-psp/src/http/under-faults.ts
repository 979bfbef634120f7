import { whenClosed } from '@plataforma/http';
import type { Request, RequestHandler, Response } from 'express';
import type { SandboxPspDependencies } from '../dependencies.ts';
import type { Client, Clients } from '../domain/client.ts';
import { isRefusable, type Operation, refusalOf, SimulatedFault } from '../domain/fault.ts';
import { takeFault } from '../store/faults.ts';

/** The answer of an operation: a status with a JSON body, or SILENCE if the caller gets no answer. */
type Reply = { status: number; body: unknown } | typeof SILENCE;

export const SILENCE = Symbol('silence');

const SILENCE_MS = 60_000;
const NO_JSON = '<html><head><title>502 Bad Gateway</title></head><body></body></html>';

type Answer<P> = (req: Request<P>, client: Client) => Promise<Reply>;

/**
 * Returns a wrapper that executes an operation, or an ordered fault of the operation. The wrapper
 * authenticates the caller first, because a caller without credentials must not use up a fault or cause a
 * query.
 */
export function underFaults(
  { database, clients }: Pick<SandboxPspDependencies, 'database' | 'clients'>,
  clientOf: (req: Pick<Request, 'get'>, clients: Clients) => Client,
) {
  return <P>(operation: Operation, answer: Answer<P>): RequestHandler<P> =>
    async (req, res) => {
      const client = clientOf(req, clients);
      switch (await takeFault(database, operation)) {
        case undefined:
          return send(res, await answer(req, client));
        case 'timeout':
          return stayAway(res);
        case 'reset':
          return void req.socket.resetAndDestroy();
        case 'garbage':
          return void res.type('html').send(NO_JSON);
        case 'done_then_500':
          await answer(req, client);
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

/** Sends no answer. Closes the connection after a minute if the caller has not closed it. */
function stayAway(res: Response): void {
  const end = setTimeout(() => res.destroy(), SILENCE_MS).unref();
  whenClosed(res, () => clearTimeout(end));
}
