import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Log } from '@plataforma/chassis';
import type { Request, Response } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import CircuitBreaker from 'opossum';

/** The way to one service: a pool of connections kept alive, and a breaker that opens when nothing answers. */
export interface Circuit {
  /** Sends the request there and its answer back. Rejects when there was no answer, at once while it is open. */
  send(req: Request, res: Response): Promise<void>;
  close(): void;
}

const ANSWER_TIMEOUT_MS = 25_000;
const MAX_SOCKETS = 256;
/** Shorter than the services keep a connection, so that we never send on one that is being closed. */
const IDLE_SOCKET_MS = 30_000;
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
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS, timeout: IDLE_SOCKET_MS });
  const failures = new WeakMap<object, Error>();
  const proxy = createProxyMiddleware<Request, Response>({
    target,
    agent,
    proxyTimeout: ANSWER_TIMEOUT_MS,
    xfwd: false,
    // The stock plugins answer errors in their own words; ours are thrown and become envelopes.
    ejectPlugins: true,
    plugins: [
      (server) => {
        // What is told here counts as dealt with: the call below then ends as if all were well.
        server.on('error', (error, _req, res) => void (res && failures.set(res, error)));
        server.on('proxyRes', (answer, _req, res) => mendHopHeaders(answer, res));
      },
    ],
  });
  const send = async (req: Request, res: Response) => {
    await proxy(req, res, () => undefined);
    const failure = failures.get(res);
    // A caller that hung up says nothing about the service.
    if (failure && !req.socket.destroyed) throw failure;
  };

  const breaker = new CircuitBreaker(send, BREAKER);
  breaker.on('failure', (error) => log.warn({ err: error, to: service }, 'a service did not answer'));
  breaker.on('open', () => log.error({ to: service }, 'circuit open: callers are turned away'));
  breaker.on('close', () => log.info({ to: service }, 'circuit closed: the service answers again'));
  return {
    send: (req, res) => breaker.fire(req, res),
    close: () => {
      breaker.shutdown();
      agent.destroy();
    },
  };
}

/** Whether the caller's connection goes on is ours to say, not the service's. */
function mendHopHeaders(answer: IncomingMessage, res: ServerResponse): void {
  delete answer.headers['keep-alive'];
  const isKept = res.shouldKeepAlive && !res.hasHeader('connection');
  answer.headers.connection = isKept ? 'keep-alive' : 'close';
}
