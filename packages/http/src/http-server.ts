import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Refusal } from '@plataforma/kernel';
import { neighbourhoodOf } from '@plataforma/kernel/addresses';
import type { Log } from '@plataforma/observe';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { type ConnectionLimit, limitConnections } from './connection-limit.ts';
import { drainOf } from './drain.ts';
import { createFairQueue } from './fair-queue.ts';
import { abortedLines, follow, type HttpRequest } from './follow.ts';
import { healthRoutes, type ReadinessCheck } from './health-routes.ts';
import { type HostNames, requireOwnHost } from './host-names.ts';
import { answerError, answerNotFound } from './http-errors.ts';
import { limitLateBodies } from './late-bodies.ts';
import type { Caller } from './lines.ts';
import { recordNextRequest } from './long-answers.ts';
import { listen, serverOf } from './node-server.ts';
import { oneAtATime } from './pipelining.ts';

/**
 * Forwards a request, or returns undefined when express must answer the request. The server treats an error
 * of this function like an error of an express route.
 */
export type ForwardWithoutExpress = (req: HttpRequest, res: ServerResponse) => Promise<void> | undefined;

export interface HttpServerOptions {
  log: Log;
  host: string;
  port: number;
  /**
   * The dependencies that every request needs. The listener is not ready while one of them is unavailable.
   */
  needs: Record<string, ReadinessCheck>;
  /**
   * The dependencies that `/readyz` only reports. Requests work without them, but effects such as messages
   * wait.
   */
  uses?: Record<string, ReadinessCheck>;
  /** Adds the routes of the service. All services share the handlers before and after these routes. */
  mount: (app: Express) => void;
  /** The time in which a stopping server still takes requests. The default is 0. */
  drainMs?: number;
  /**
   * Forwards most requests without express, whose routing would add half of the time that forwarding takes.
   */
  forwardWithoutExpress?: ForwardWithoutExpress;
  /**
   * The time without traffic after which the server cuts a connection, even while the caller leaves an answer
   * unread. The default is 30 s, or no limit when `connectionLimit` is null.
   */
  stalledAfterMs?: number;
  /**
   * The time for which an idle connection stays open. It must be longer than the time for which the balancer
   * keeps idle connections open.
   */
  keepAliveMs?: number;
  /** The maximum size in bytes of the request line and the headers together. */
  maxHeadBytes?: number;
  hostNames?: HostNames;
  /**
   * The limits of connections, or null for a listener that only our own services reach. The option is
   * required, so that no listener forgets the limits.
   */
  connectionLimit: ConnectionLimit | null;
  /** The maximum number of open connections of the listener. The default is 10,000. */
  maxConnections?: number;
  /**
   * Returns true when the caller came by https. The answer then makes the caller's browser require https for
   * two years (HSTS).
   */
  isHttps?: (req: HttpRequest) => boolean;
  /**
   * True for a public listener. Each request then begins a new trace, which only links to the caller's trace.
   * The caller does not decide whether the new trace is exported.
   */
  beginsTraces?: boolean;
}

export interface HttpServer {
  url: string;
  port: number;
  /**
   * Stops the server: it reports that it is not ready, takes requests for `drainMs`, lets open requests
   * finish, and closes.
   */
  stop(): Promise<void>;
}

/**
 * The time for which an idle connection stays open. Our clients and most balancers close their connections
 * earlier, so that a request does not arrive on a connection that the server is closing.
 */
const KEEP_ALIVE_MS = 75_000;
const STALLED_AFTER_MS = 30_000;
const HTTPS_ONLY = 'max-age=63072000; includeSubDomains';
/**
 * The maximum number of open connections. It is below the limit of file descriptors, because the process also
 * opens files and connections of its own.
 */
const MAX_CONNECTIONS = 10_000;
/**
 * Headers in which a caller lists preferences. A list above `MAX_PREFERENCES` characters is dropped, because
 * sorting thousands of preferences takes milliseconds.
 */
const PREFERENCES = ['accept', 'accept-charset', 'accept-encoding', 'accept-language'];
const MAX_PREFERENCES = 1_000;
/**
 * The limit of request line and headers. It is twice the gateway's public limit, because the gateway adds
 * headers when it forwards a request.
 */
const MAX_HEAD_BYTES = 32 * 1024;

/** Starts a listener of a service. Rejects when it cannot listen. */
export async function startHttpServer({
  log,
  host,
  port,
  needs,
  uses = {},
  mount,
  drainMs = 0,
  forwardWithoutExpress = () => undefined,
  connectionLimit,
  stalledAfterMs = connectionLimit ? STALLED_AFTER_MS : 0,
  keepAliveMs = KEEP_ALIVE_MS,
  maxHeadBytes = MAX_HEAD_BYTES,
  hostNames,
  maxConnections = MAX_CONNECTIONS,
  isHttps = () => false,
  beginsTraces = false,
}: HttpServerOptions): Promise<HttpServer> {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', 'simple');
  // Routes are case-sensitive, because a proxy that protects a path also compares upper and lower case.
  app.enable('case sensitive routing');
  healthRoutes(app, { needs, uses, isAccepting: () => !drain.hasBegun() });
  mount(app);
  app.use(answerNotFound);
  const fail = answerError(log);
  const failed: ErrorRequestHandler = (error, req, res, _next) => fail(error, req, res);
  app.use(failed);

  const logAborted = abortedLines(log);
  const handle = (req: HttpRequest, res: ServerResponse) => {
    recordNextRequest(req);
    dropLongPreferences(req);
    const next = () => {
      if (isHttps(req)) res.setHeader('Strict-Transport-Security', HTTPS_ONLY);
      try {
        requireHost(req);
        requireOwnHost(req, hostNames);
        const answered = forwardWithoutExpress(req, res);
        if (answered) answered.catch((error) => fail(error, req, res));
        else app(req, res);
      } catch (error) {
        fail(error, req, res);
      }
    };
    follow(req, res, { log, logAborted, next, beginsTraces });
  };
  const queue = connectionLimit && createFairQueue({ handle, callerOf: callersOf(connectionLimit) });
  const { handleOne, isBusy } = oneAtATime(queue?.start ?? handle);
  const server = serverOf(handleOne, { stalledAfterMs, keepAliveMs, maxHeadBytes });
  server.maxConnections = maxConnections;
  limitConnections(server, log, {
    limit: connectionLimit,
    isBusy,
    onAccepted: queue?.recordAccepted ?? (() => undefined),
  });
  if (connectionLimit) limitLateBodies(server, log, connectionLimit);
  const drain = drainOf(server, drainMs);
  const address = await listen(server, host, port);
  return {
    url: `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${address.port}`,
    port: address.port,
    stop: drain.begin,
  };
}

/**
 * Drops a preference header that is longer than any browser sends. The caller then gets the answer for a
 * request without that header.
 */
function dropLongPreferences({ headers }: IncomingMessage): void {
  for (const name of PREFERENCES) if ((headers[name]?.length ?? 0) > MAX_PREFERENCES) delete headers[name];
}

/**
 * Returns a function that names the caller of a connection. Each connection of a trusted proxy counts as a
 * separate caller, because the proxy forwards requests of many callers.
 */
function callersOf({ callerOf }: ConnectionLimit): (socket: Socket) => Caller {
  return ({ remoteAddress = '', remotePort }) => {
    const name = callerOf(remoteAddress);
    if (name !== null) return { name, neighbourhood: neighbourhoodOf(remoteAddress) };
    const connection = `${remoteAddress} ${remotePort}`;
    return { name: connection, neighbourhood: connection };
  };
}

function requireHost({ httpVersion, headers }: IncomingMessage): void {
  if (httpVersion !== '1.1' || headers.host) return;
  throw new Refusal('invalid', 'VALIDATION_ERROR', 'Host: is missing');
}
