import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Log } from '@plataforma/chassis';
import type { Request, Response } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import CircuitBreaker from 'opossum';

/** What a service gets of a request besides its method and path: nothing in it but what we put there. */
interface Outgoing {
  headers: Record<string, string>;
  body: Buffer | null;
}

/** The way to one service: a pool of connections kept alive, and a breaker that opens when nothing answers. */
export interface Circuit {
  /** Sends the request there, and its answer to `res`. Rejects when there was no answer, at once while it is open. */
  send(req: Request, res: Response, outgoing: Outgoing): Promise<void>;
  close(): void;
}

/** A request each; whoever comes when all are taken hears so at once. */
const MAX_CONNECTIONS = 256;
/** With the time it takes to connect. */
const ANSWER_TIMEOUT_MS = 25_000;
/** Between two pieces of an answer. */
const STALLED_ANSWER_MS = 30_000;
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
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS, timeout: IDLE_CONNECTION_MS });
  const exchange = exchangeWith(target, agent);
  const breaker = new CircuitBreaker(exchange, BREAKER);
  breaker.on('failure', (error) => log.warn({ err: error, to: service }, 'a service did not answer'));
  breaker.on('open', () => log.error({ to: service }, 'circuit open: callers are turned away'));
  breaker.on('close', () => log.info({ to: service }, 'circuit closed: the service answers again'));

  let inFlight = 0;
  return {
    async send(req, res, outgoing) {
      if (inFlight >= MAX_CONNECTIONS) throw new Error(`${service} has more to do than it can`);
      inFlight += 1;
      try {
        await breaker.fire(req, res, outgoing);
      } finally {
        inFlight -= 1;
      }
    },
    close: () => {
      breaker.shutdown();
      agent.destroy();
    },
  };
}

function exchangeWith(target: string, agent: Agent) {
  const bodies = new WeakMap<object, Buffer>();
  const failures = new WeakMap<object, Error>();
  const proxy = createProxyMiddleware<Request, Response>({
    target,
    agent,
    proxyTimeout: STALLED_ANSWER_MS,
    xfwd: false,
    // The stock plugins answer errors in their own words; ours are thrown and become envelopes.
    ejectPlugins: true,
    plugins: [
      (server) => {
        // What is told here counts as dealt with: the call below then ends as if all were well.
        server.on('error', (error, _req, res) => void (res && failures.set(res, error)));
        server.on('proxyReq', (onward, req) => {
          const late = setTimeout(() => onward.destroy(new Error('no answer in time')), ANSWER_TIMEOUT_MS);
          onward.once('response', () => clearTimeout(late));
          onward.once('close', () => clearTimeout(late));
          // The caller's body has been read; what the proxy would send of it is nothing.
          onward.end(bodies.get(req));
        });
        server.on('proxyRes', (answer, _req, res) => keepPassable(answer, res));
      },
    ],
  });

  return async (req: Request, res: Response, { headers, body }: Outgoing) => {
    if (body) bodies.set(req, body);
    req.headers = headers;
    await proxy(req, res, () => undefined);
    const failure = failures.get(res);
    // A caller that hung up says nothing about the service.
    if (failure && !req.socket.destroyed) throw failure;
  };
}

/**
 * Headers of an answer that are ours to give: those about a connection (RFC 9110, 7.6.1), those that let browsers in
 * or make them keep something, and those we have set already.
 */
const OURS =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|date|x-request-id|x-internal-.*|set-cookie|server|access-control-.*)$/;

function keepPassable(answer: IncomingMessage, res: ServerResponse): void {
  for (const name of Object.keys(answer.headers)) if (OURS.test(name)) delete answer.headers[name];
  // Left out, the proxy would say what the service's connection does.
  const isKept = res.shouldKeepAlive && !res.hasHeader('connection');
  answer.headers.connection = isKept ? 'keep-alive' : 'close';
}
