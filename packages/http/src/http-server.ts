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

/** Forwards a request; undefined: express must answer it. Its errors are answered like those of express. */
export type ForwardWithoutExpress = (req: HttpRequest, res: ServerResponse) => Promise<void> | undefined;

export interface HttpServerOptions {
  log: Log;
  host: string;
  port: number;
  /** Dependencies of every request: while one is away, the listener is not ready. */
  needs: Record<string, ReadinessCheck>;
  /** Dependencies that readiness shows only: requests work without them, and their effects wait. */
  uses?: Record<string, ReadinessCheck>;
  /** Adds the service's own routes; everything before and after them is common. */
  mount: (app: Express) => void;
  /** For how long a stop still takes requests. */
  drainMs?: number;
  /** Forwards most requests without express, whose routing takes half as long as the forwarding itself. */
  forwardWithoutExpress?: ForwardWithoutExpress;
  /**
   * Cuts a connection on which nothing moved for so long, a caller that does not read its answer included; 30 s where
   * strangers connect, never where only services do.
   */
  stalledAfterMs?: number;
  /** For how long an idle connection stays open: longer than the balancer before it keeps one. */
  keepAliveMs?: number;
  /** Request line and headers together. */
  maxHeadBytes?: number;
  hostNames?: HostNames;
  /** Required, so that no listener forgets it; null where only services of the installation connect. */
  connectionLimit: ConnectionLimit | null;
  /** 10,000 when left out. */
  maxConnections?: number;
  /** Whether the caller came by https, which its browser then requires for two years (HSTS). */
  isHttps?: (req: HttpRequest) => boolean;
  /** For a public listener: a caller's trace header neither continues nor decides whether a trace is exported. */
  beginsTraces?: boolean;
}

export interface HttpServer {
  url: string;
  port: number;
  /** Says that it is not ready, takes requests for `drainMs`, lets what runs finish, then closes. */
  stop(): Promise<void>;
}

/** Longer than any client of ours and most balancers keep an idle connection, so that none is closed under a request. */
const KEEP_ALIVE_MS = 75_000;
const STALLED_AFTER_MS = 30_000;
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
const HTTPS_ONLY = 'max-age=63072000; includeSubDomains';
/** How late the two above may be noticed. */
const TIMEOUT_CHECK_MS = 1_000;
/** A process has some more file descriptors than this, also for what it asks of others. */
const MAX_CONNECTIONS = 10_000;
/** Connections that wait to be accepted: those of a few floods, behind which a SYN is dropped. Linux allows no more. */
const BACKLOG = 4_096;
/** No client of ours sends a request before the answer to its last one; a read of 64 KiB may hold a thousand. */
const MAX_PIPELINED = 2;
/** Heads that wait hold memory, and the refusal of too many headers comes in turn. */
const MAX_WAITING_HEADERS = 100;
/** To sort thousands of preferences takes milliseconds. */
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

/** A caller that sends a longer list of preferences than any browser is answered like one without. */
function dropLongPreferences({ headers }: IncomingMessage): void {
  for (const name of PREFERENCES) if ((headers[name]?.length ?? 0) > MAX_PREFERENCES) delete headers[name];
}

/** A trusted proxy brings requests of many callers: each of its connections is one. */
function callersOf({ callerOf }: ConnectionLimit): (socket: Socket) => Caller {
  return ({ remoteAddress = '', remotePort }) => {
    const name = callerOf(remoteAddress);
    if (name !== null) return { name, neighbourhood: neighbourhoodOf(remoteAddress) };
    const connection = `${remoteAddress} ${remotePort}`;
    return { name: connection, neighbourhood: connection };
  };
}

/** Whether an answer says that its connection closes: nothing that follows on it is done. */
function isLast(res: ServerResponse): boolean {
  return !res.shouldKeepAlive || res.getHeader('connection') === 'close';
}

/**
 * Handles the requests of a connection one after the other. A pipelined request costs nothing before the answer to the
 * request before it has left, and never begins when its connection closes meanwhile. None with a body waits, because the
 * body would fill memory for as long as the answer takes.
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
      // Its own refusal has no envelope; ours is `requireHost`.
      requireHostHeader: false,
    },
    handle,
  );
  // Headers above a number would vanish silently, Content-Length among them; their size is bounded anyway.
  server.maxHeadersCount = 0;
  server.timeout = stalledAfterMs;
  const exchangesOn = followExchanges(server);
  server.on('clientError', (error, socket) =>
    answerMalformed(error, socket, { exchanges: exchangesOn(socket), maxHeadBytes }),
  );
  server.on('connect', (_req, socket) => refuseTunnel(socket, exchangesOn(socket)));
  // An expectation we don't know may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  return server;
}

/** Tracks open requests of a connection: pipelined ones can be several, and an answer may precede the end of its body. */
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

/** The address it listens on. */
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
