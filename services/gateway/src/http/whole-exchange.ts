import { type Dispatcher, Pool } from 'undici';
import { ANSWER_TIMEOUT_MS, type Exchange, IDLE_CONNECTION_MS, isOurs, MAX_CONNECTIONS } from './exchange.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** Several times the longest there is, a reconciliation with a thousand differences; what is longer is no answer. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/**
 * Reads the whole answer before the caller gets any of it: when the service dies half-way the caller hears 503, and not
 * half an answer. What the caller does meanwhile is nothing to the service, which does what it was asked.
 */
export function exchangesWith(target: string): { send: Exchange; close(): Promise<void> } {
  const pool = new Pool(new URL(target).origin, {
    connections: MAX_CONNECTIONS,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    keepAliveMaxTimeout: IDLE_CONNECTION_MS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
    maxResponseSize: MAX_ANSWER_BYTES,
  });
  return {
    async send(req, res, outgoing) {
      const answer = await pool.request({ method: methodOf(req), path: req.originalUrl, ...outgoing });
      // As a text it leaves with its head in one piece.
      const body = await answer.body.text();
      if (res.destroyed) return;
      for (const [name, value] of Object.entries(answer.headers)) {
        if (value !== undefined && !isOurs(name)) res.setHeader(name, value);
      }
      res.writeHead(answer.statusCode).end(body);
    },
    close: () => pool.destroy(),
  };
}

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'] as const satisfies Dispatcher.HttpMethod[];

function methodOf(req: { method: string }): Dispatcher.HttpMethod {
  const method = METHODS.find((known) => known === req.method);
  if (method) return method;
  throw new Error(`no endpoint has the method ${req.method}`);
}
