import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Refusal } from '@plataforma/kernel';
import { neighbourhoodOf } from '@plataforma/kernel/addresses';
import type { Log } from '@plataforma/observe';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { hasBody } from './body-type.ts';
import { type ConnectionLimit, limitConnections } from './connection-limit.ts';
import { drainOf } from './drain.ts';
import { createFairQueue, type Handle } from './fair-queue.ts';
import { abortedLines, follow, type HttpRequest } from './follow.ts';
import { healthRoutes, type ReadinessCheck } from './health-routes.ts';
import { type HostNames, requireOwnHost } from './host-names.ts';
import { answerError, answerNotFound } from './http-errors.ts';
import { limitLateBodies } from './late-bodies.ts';
import type { Caller } from './lines.ts';
import { recordNextRequest } from './long-answers.ts';
import { answerMalformed, refuseTunnel } from './malformed.ts';
import { joinPieces } from './pieces.ts';
import { whenClosed } from './when-closed.ts';

/**
 * Forwards a request, or returns undefined when express must answer it. Errors are answered as by express.
 */
export type ForwardWithoutExpress = (req: HttpRequest, res: ServerResponse) => Promise<void> | undefined;

export interface HttpServerOptions {
  log: Log;
  host: string;
  port: number;
  /** Dependencies of every request: the listener is not ready while one of them is unavailable. */
  needs: Record<string, ReadinessCheck>;
  /** Dependencies that `/readyz` only shows: requests work without them, and their effects wait. */
  uses?: Record<string, ReadinessCheck>;
  /** Adds the service's own routes; everything before and after them is common. */
  mount: (app: Express) => void;
  /** How long a stopping server still takes requests. */
  drainMs?: number;
  /** Forwards most requests without express, whose routing takes half as long as the forwarding itself. */
  forwardWithoutExpress?: ForwardWithoutExpress;
  /**
   * Cuts a connection that moves no data for this long, even when its caller only fails to read. The default
   * is 30 s, or never when `connectionLimit` is null.
   */
  stalledAfterMs?: number;
  /** How long an idle connection stays open; longer than the balancer in front keeps it. */
  keepAliveMs?: number;
  /** The most bytes of the request line and the headers together. */
  maxHeadBytes?: number;
  hostNames?: HostNames;
  /** Required, so that no listener forgets it; null where only services of the installation connect. */
  connectionLimit: ConnectionLimit | null;
  /** 10,000 when left out. */
  maxConnections?: number;
  /** Returns true when the caller came by https. Its browser then requires https for two years (HSTS). */
  isHttps?: (req: HttpRequest) => boolean;
  /**
   * Set on a public listener, where a caller's trace header neither continues a trace nor decides about its
   * export.
   */
  beginsTraces?: boolean;
}

export interface HttpServer {
  url: string;
  port: number;
  /** Reports not ready, takes requests for `drainMs`, lets running requests finish, and closes. */
  stop(): Promise<void>;
}

/**
 * Longer than our clients and most balancers keep an idle connection, so that none closes under a request.
 */
const KEEP_ALIVE_MS = 75_000;
const STALLED_AFTER_MS = 30_000;
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
const HTTPS_ONLY = 'max-age=63072000; includeSubDomains';
/** How late an expired request or header timeout may be noticed. */
const TIMEOUT_CHECK_MS = 1_000;
/** Fewer than the process's file descriptors, because its own requests need some, too. */
const MAX_CONNECTIONS = 10_000;
/** The accept queue has room for a few floods. Linux drops a SYN beyond it, and allows no longer queue. */
const BACKLOG = 4_096;
/**
 * The most pipelined requests that wait. Our clients send none, and one read of 64 KiB may hold a thousand.
 */
const MAX_PIPELINED = 2;
/** The most headers of a waiting request: they hold memory until the request is refused in its turn. */
const MAX_WAITING_HEADERS = 100;
/** Headers of preferences. Sorting thousands of preferences would take milliseconds. */
const PREFERENCES = ['accept', 'accept-charset', 'accept-encoding', 'accept-language'];
const MAX_PREFERENCES = 1_000;
/** Twice the public limit of the gateway, because the gateway adds headers of its own. */
const MAX_HEAD_BYTES = 32 * 1024;
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
  // A proxy that guards a path compares letters exactly, so routing does too.
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
 * Drops preferences that are longer than any browser sends; the caller is answered as if it had sent none.
 */
function dropLongPreferences({ headers }: IncomingMessage): void {
  for (const name of PREFERENCES) if ((headers[name]?.length ?? 0) > MAX_PREFERENCES) delete headers[name];
}

/**
 * Returns the caller of a connection. Each connection of a trusted proxy is a caller of its own, because the
 * proxy brings requests of many callers.
 */
function callersOf({ callerOf }: ConnectionLimit): (socket: Socket) => Caller {
  return ({ remoteAddress = '', remotePort }) => {
    const name = callerOf(remoteAddress);
    if (name !== null) return { name, neighbourhood: neighbourhoodOf(remoteAddress) };
    const connection = `${remoteAddress} ${remotePort}`;
    return { name: connection, neighbourhood: connection };
  };
}

/** Returns true when an answer closes its connection; later requests on it then never begin. */
function isLast(res: ServerResponse): boolean {
  return !res.shouldKeepAlive || res.getHeader('connection') === 'close';
}

/**
 * Handles the requests of a connection one after the other. A pipelined request begins after the previous
 * answer has left, and never when the connection closes meanwhile. A pipelined request with a body ends the
 * connection, because a waiting body would fill memory.
 */
function oneAtATime(handle: Handle): { handleOne: Handle; isBusy: (socket: Duplex) => boolean } {
  const lines = new WeakMap<Duplex, Parameters<Handle>[]>();

  function begin(line: Parameters<Handle>[], [req, res]: Parameters<Handle>): void {
    whenClosed(res, () => {
      const next = line.shift();
      if (!next) lines.delete(req.socket);
      else if (!req.socket.destroyed && !isLast(res)) begin(line, next);
    });
    handle(req, res);
  }

  const handleOne: Handle = (req, res) => {
    joinPieces(req);
    const line = lines.get(req.socket);
    const isTooMuch = (waiting: unknown[]) =>
      waiting.length >= MAX_PIPELINED || req.rawHeaders.length > 2 * MAX_WAITING_HEADERS || hasBody(req);
    if (line && isTooMuch(line)) req.socket.destroy();
    else if (line) line.push([req, res]);
    else {
      const own: Parameters<Handle>[] = [];
      lines.set(req.socket, own);
      begin(own, [req, res]);
    }
  };
  return { handleOne, isBusy: (socket) => lines.has(socket) };
}

function serverOf(
  handle: Handle,
  {
    stalledAfterMs,
    keepAliveMs,
    maxHeadBytes,
  }: { stalledAfterMs: number; keepAliveMs: number; maxHeadBytes: number },
): Server {
  const server = createServer(
    {
      keepAliveTimeout: keepAliveMs,
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      maxHeaderSize: maxHeadBytes,
      // Node's own refusal has no envelope; `requireHost` refuses instead.
      requireHostHeader: false,
    },
    handle,
  );
  // No limit, because further headers vanish silently, even Content-Length. `maxHeaderSize` bounds them.
  server.maxHeadersCount = 0;
  server.timeout = stalledAfterMs;
  const exchangesOn = followExchanges(server);
  server.on('clientError', (error, socket) =>
    answerMalformed(error, socket, { exchanges: exchangesOn(socket), maxHeadBytes }),
  );
  server.on('connect', (_req, socket) => refuseTunnel(socket, exchangesOn(socket)));
  // A server may ignore an expectation that it does not know (RFC 9110, 10.1.1).
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  return server;
}

/** Tracks open requests of a connection: several by pipelining, or answered ones with an unfinished body. */
function followExchanges(server: Server): (socket: Duplex) => ServerResponse[] {
  const exchanges = new WeakMap<Duplex, Set<ServerResponse>>();
  const hasEnded = (res: ServerResponse) => res.closed && res.req.complete;
  server.prependListener('request', (req, res) => {
    const open = exchanges.get(req.socket) ?? new Set();
    for (const earlier of open) if (hasEnded(earlier)) open.delete(earlier);
    exchanges.set(req.socket, open.add(res));
    res.once('close', () => req.complete && open.delete(res));
  });
  return (socket) => [...(exchanges.get(socket) ?? [])].filter((res) => !hasEnded(res));
}

function requireHost({ httpVersion, headers }: IncomingMessage): void {
  if (httpVersion !== '1.1' || headers.host) return;
  throw new Refusal('invalid', 'VALIDATION_ERROR', 'Host: is missing');
}

/** Starts to listen, and returns the address. Rejects when the server cannot listen. */
export function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: BACKLOG }, () => {
      server.off('error', reject);
      const address = server.address();
      if (address && typeof address === 'object') resolve(address);
      else reject(new Error('the server has no port'));
    });
  });
}
