import type { IncomingHttpHeaders } from 'node:http';
import type { Log } from '@plataforma/chassis';
import type { Response } from 'express';
import CircuitBreaker from 'opossum';
import { type Dispatcher, Pool } from 'undici';

/** A request as the service gets it: nothing in it but what we put there. */
interface Outgoing {
  method: Dispatcher.HttpMethod;
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

/** The way to one service: a pool of connections kept alive, and a breaker that opens when nothing answers. */
export interface Circuit {
  /** Sends the request there and its answer to `res`. Rejects when there was no answer, at once while it is open. */
  send(request: Outgoing, res: Response): Promise<void>;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** With the wait for a connection. */
const ANSWER_TIMEOUT_MS = 25_000;
/** Between two pieces of an answer. */
const STALLED_ANSWER_MS = 30_000;
const MAX_CONNECTIONS = 256;
/** As many again may wait for a connection; whoever comes then would wait in vain. */
const MAX_IN_FLIGHT = 2 * MAX_CONNECTIONS;
/** Shorter than the services keep a connection, so that we never send on one that is being closed. */
const IDLE_CONNECTION_MS = 30_000;
const BREAKER = {
  timeout: false,
  errorThresholdPercentage: 50,
  volumeThreshold: 20,
  resetTimeout: 1_000,
} as const;

interface CircuitOptions {
  service: string;
  target: string;
  log: Log;
}

/** The breaker counts what never became an answer; an answer, whatever it says, is a success. */
export function circuitTo({ service, target, log }: CircuitOptions): Circuit {
  const pool = new Pool(new URL(target).origin, {
    connections: MAX_CONNECTIONS,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    keepAliveMaxTimeout: IDLE_CONNECTION_MS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: 0,
    bodyTimeout: STALLED_ANSWER_MS,
  });
  const send = (request: Outgoing, res: Response) => exchange(pool, request, res);
  const breaker = new CircuitBreaker(send, BREAKER);
  breaker.on('failure', (error) => log.warn({ err: error, to: service }, 'a service did not answer'));
  breaker.on('open', () => log.error({ to: service }, 'circuit open: callers are turned away'));
  breaker.on('close', () => log.info({ to: service }, 'circuit closed: the service answers again'));

  let inFlight = 0;
  return {
    async send(request, res) {
      if (inFlight >= MAX_IN_FLIGHT) throw new Error(`${service} has more to do than it can`);
      inFlight += 1;
      try {
        await breaker.fire(request, res);
      } finally {
        inFlight -= 1;
      }
    },
    async close() {
      breaker.shutdown();
      await pool.destroy();
    },
  };
}

async function exchange(pool: Pool, request: Outgoing, res: Response): Promise<void> {
  const given = new AbortController();
  const late = setTimeout(() => given.abort(new Error('no answer in time')), ANSWER_TIMEOUT_MS);
  let hasHungUp = false;
  const hangUp = () => {
    hasHungUp = !res.writableFinished;
    if (hasHungUp) given.abort();
  };
  res.once('close', hangUp);
  try {
    await pool.stream({ ...request, signal: given.signal }, ({ statusCode, headers }) => {
      clearTimeout(late);
      return res.writeHead(statusCode, passable(headers));
    });
  } catch (error) {
    // A caller that hung up says nothing about the service.
    if (!hasHungUp) throw error;
  } finally {
    clearTimeout(late);
    res.off('close', hangUp);
  }
}

/**
 * Headers of an answer that are ours to give: those about a connection (RFC 9110, 7.6.1), those that let browsers in
 * or make them keep something, and those we have set already.
 */
const OURS =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|date|x-request-id|x-internal-.*|set-cookie|server|access-control-.*)$/;

function passable(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OURS.test(name)));
}
