import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId, Refusal } from '@plataforma/kernel';
import { beginServing, type Log, NO_ROUTE, runInContext, servedAs } from '@plataforma/observe';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { type ConnectionLimit, limitConnections } from './connection-limit.ts';
import { drainOf } from './drain.ts';
import { answerError, answerNotFound } from './http-errors.ts';
import { answerMalformed, refuseTunnel } from './malformed.ts';
import { metrics } from './metrics.ts';
import { hasBody } from './serve.ts';

/** A request, with what express writes down on one. */
export interface HttpRequest extends IncomingMessage {
  res?: ServerResponse | undefined;
  route?: { path?: unknown };
}

/** Undefined when the request is none of those it answers. What it throws or rejects with is answered as anywhere. */
export type Shortcut = (req: HttpRequest, res: ServerResponse) => Promise<void> | undefined;

/** Looks at one thing; throws or answers false when it is not there. */
type ReadinessCheck = () => Promise<unknown> | boolean;

export interface HttpServerOptions {
  log: Log;
  host: string;
  port: number;
  /** What no request can be answered without: while it is away, none should be sent here. */
  needs: Record<string, ReadinessCheck>;
  /** What is told as well: requests do without it, and what they cause waits for it. */
  uses?: Record<string, ReadinessCheck>;
  /** Adds the service's own routes; everything before and after them is common. */
  mount: (app: Express) => void;
  /** For how long a stop still takes requests. */
  drainMs?: number;
  /** Answers some requests without express, which takes half as long to find its way as forwarding takes in all. */
  shortcut?: Shortcut;
  /** Cuts a connection on which nothing moved for so long, a caller that does not read its answer included. */
  stalledAfterMs?: number;
  /** Request line and headers together. */
  maxHeadBytes?: number;
  /** None for a door that only our own services come through. */
  connectionLimit?: ConnectionLimit | undefined;
  /** For a door that strangers come through: theirs is neither the trace nor the say whether it is exported. */
  beginsTraces?: boolean;
}

export interface HttpServer {
  url: string;
  port: number;
  /** Says that it is not ready, takes requests for `drainMs`, lets what runs finish, then closes. */
  stop(): Promise<void>;
}

/** Longer than any client of ours keeps an idle connection, so that we never close one it is about to use. */
const KEEP_ALIVE_MS = 75_000;
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** How late the two above may be noticed. */
const TIMEOUT_CHECK_MS = 1_000;
/** A process has some more file descriptors than this, also for what it asks of others. */
const MAX_CONNECTIONS = 10_000;
/** Twice what the gateway takes from strangers: it adds headers of its own to theirs. */
const MAX_HEAD_BYTES = 32 * 1024;
/** A check that takes longer says no: whoever asks is not patient either. */
const CHECK_TIMEOUT_MS = 2_000;
/** For so long a check holds for everybody who asks: whoever may ask this may not keep the database busy with it. */
const CHECK_HOLDS_MS = 1_000;

export async function startHttpServer({
  log,
  host,
  port,
  needs,
  uses = {},
  mount,
  drainMs = 0,
  shortcut = () => undefined,
  stalledAfterMs = 0,
  maxHeadBytes = MAX_HEAD_BYTES,
  connectionLimit,
  beginsTraces = false,
}: HttpServerOptions): Promise<HttpServer> {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', 'simple');
  // Whoever guards a path in front of us compares letters; so do we.
  app.enable('case sensitive routing');
  app.use(['/healthz', '/readyz'], refuseBody);
  app.get('/healthz', (_req, res) => void res.json({ success: true, data: { status: 'ok' } }));
  const lookAround = held(() => Promise.all([stateOf(needs), stateOf(uses)]));
  app.get('/readyz', async (_req, res) => {
    const [needed, used] = await lookAround();
    const accepting = drain.hasBegun() ? 'down' : 'ok';
    const isReady = Object.values({ ...needed, accepting }).every((state) => state === 'ok');
    res.status(isReady ? 200 : 503).json({ success: isReady, data: { ...needed, accepting, ...used } });
  });
  mount(app);
  app.use(answerNotFound);
  const fail = answerError(log);
  // biome-ignore lint/complexity/useMaxParams: express knows an error handler by its four parameters
  const failed: ErrorRequestHandler = (error, req, res, _next) => fail(error, req, res);
  app.use(failed);

  const handle = (req: HttpRequest, res: ServerResponse) => {
    const next = () => {
      try {
        demandHost(req);
        const answered = shortcut(req, res);
        if (answered) answered.catch((error) => fail(error, req, res));
        else app(req, res);
      } catch (error) {
        fail(error, req, res);
      }
    };
    follow(req, res, { log, next, beginsTraces });
  };
  const server = serverOf(handle, { stalledAfterMs, maxHeadBytes });
  limitConnections(server, log, connectionLimit);
  const drain = drainOf(server, drainMs);
  const address = await listen(server, host, port);
  return {
    url: `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${address.port}`,
    port: address.port,
    stop: drain.begin,
  };
}

function serverOf(
  handle: (req: IncomingMessage, res: ServerResponse) => void,
  { stalledAfterMs, maxHeadBytes }: { stalledAfterMs: number; maxHeadBytes: number },
): Server {
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      maxHeaderSize: maxHeadBytes,
      // Its own refusal has no envelope; ours is `demandHost`.
      requireHostHeader: false,
    },
    handle,
  );
  // Headers above a number would vanish without a word, Content-Length among them; their size is bounded anyway.
  server.maxHeadersCount = 0;
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = stalledAfterMs;
  const exchangesOn = followExchanges(server);
  server.on('clientError', (error, socket) =>
    answerMalformed(error, socket, { exchanges: exchangesOn(socket), maxHeadBytes }),
  );
  server.on('connect', (_req, socket) => refuseTunnel(socket));
  // An expectation we don't know may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', handle);
  return server;
}

/** What has not ended on a connection: pipelined requests can be several, and an answer be out before its request is in. */
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

function demandHost({ httpVersion, headers }: IncomingMessage): void {
  if (httpVersion !== '1.1' || headers.host) return;
  throw new Refusal('invalid', 'VALIDATION_ERROR', 'Host: is missing');
}

/** What is asked about our health is answered before anybody has looked at the framing of the request. */
const refuseBody: RequestHandler = (req, res, next) => {
  if (hasBody(req)) {
    res.setHeader('Connection', 'close');
    throw new Refusal('invalid', 'VALIDATION_ERROR', `body: ${req.baseUrl} takes none`);
  }
  next();
};

const requestSeconds = metrics.recorder('plataforma_http_request_duration_seconds');

/** A header that is sent once, or of several of a name all that they say. */
export function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Asked every few seconds by whoever runs us: not worth a line each. */
const HEALTH = /^\/(healthz|readyz)\/?(\?|$)/;
const REQUEST_ID = /^[\w.:-]{1,128}$/;

interface Following {
  log: Log;
  next: () => void;
  beginsTraces: boolean;
}

/** Gives the request its id and trace, and writes the one line that says how it ended. */
function follow(req: HttpRequest, res: ServerResponse, { log, next, beginsTraces }: Following): void {
  const received = headerOf(req, 'x-request-id') ?? '';
  const requestId = REQUEST_ID.test(received) ? received : newId();
  const sent = headerOf(req, 'traceparent');
  const { span, traceparent, callerTraceId } = beginServing(req.method ?? '', sent, beginsTraces);
  const startedAt = performance.now();
  res.setHeader('X-Request-Id', requestId);
  runInContext({ requestId, traceparent }, () => {
    // Bound here because 'close' fires outside of the request's context.
    const context = { requestId, traceparent };
    res.once('close', () =>
      runInContext(context, () => {
        if (HEALTH.test(req.url ?? '')) return;
        const ms = Math.round((performance.now() - startedAt) * 10) / 10;
        const isAborted = !res.writableFinished;
        const { method = '' } = req;
        const route = routeOf(req);
        requestSeconds({ method, route, status: isAborted ? 'aborted' : `${res.statusCode}` }, ms / 1_000);
        log.info({ method, route, status: res.statusCode, ms, isAborted, callerTraceId }, 'request');
        span?.end(servedAs({ method, route, status: res.statusCode, isAborted }));
      }),
    );
    next();
  });
}

/** The pattern, not the path: a path may carry a secret, and patterns can be counted. */
function routeOf({ route }: HttpRequest): string {
  return typeof route?.path === 'string' ? route.path : NO_ROUTE;
}

async function stateOf(checks: Record<string, ReadinessCheck>): Promise<Record<string, 'ok' | 'down'>> {
  const states = Object.entries(checks).map(async ([name, check]) => {
    const outcome = Promise.resolve()
      .then(check)
      .then((result) => result !== false)
      .catch(() => false);
    const isOk = await Promise.race([outcome, sleep(CHECK_TIMEOUT_MS, false, { ref: false })]);
    return [name, isOk ? 'ok' : 'down'] as const;
  });
  return Object.fromEntries(await Promise.all(states));
}

function held<Found>(look: () => Promise<Found>): () => Promise<Found> {
  let found: Promise<Found> | undefined;
  let holdsUntil = 0;
  return () => {
    if (found && performance.now() < holdsUntil) return found;
    holdsUntil = performance.now() + CHECK_HOLDS_MS;
    found = look();
    return found;
  };
}

/** The address it listens on. */
export function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: 1024 }, () => {
      server.off('error', reject);
      const address = server.address();
      if (address && typeof address === 'object') resolve(address);
      else reject(new Error('the server has no port'));
    });
  });
}
