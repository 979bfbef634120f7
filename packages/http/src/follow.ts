import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Environment, environments, newId, type Tenant } from '@plataforma/kernel';
import { actFor, beginServing, type Log, NO_ROUTE, runInContext, servedAs } from '@plataforma/observe';
import { metrics } from './metrics.ts';
import { summarizer } from './summary.ts';

/** A request with the fields that express and this server add to it. */
export interface HttpRequest extends IncomingMessage {
  res?: ServerResponse | undefined;
  route?: { path?: unknown };
  /** The time in milliseconds of `performance.now()` when the server received the request. */
  startedAt?: number;
  /** The merchant's environment, for the metrics. Undefined while the merchant is not known. */
  environment?: Environment;
}

const requestSeconds = metrics.recorder('plataforma_http_request_duration_seconds');

/** Returns the value of a header; the values of a repeated header are joined by commas. */
export function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/**
 * Returns the environment in `X-Environment`, or sandbox without the header. Unknown values were refused
 * earlier.
 */
export function environmentOf(req: HttpRequest): Environment {
  const named = headerOf(req, 'x-environment');
  return environments.find((each) => each === named) ?? 'sandbox';
}

/**
 * Sets the environment under which the metrics count the request. If the account is known, the request's SQL
 * statements take turns with those of other accounts.
 */
export function countFor(
  req: HttpRequest,
  { merchantId, environment }: Partial<Tenant> & Pick<Tenant, 'environment'>,
): void {
  req.environment = environment;
  if (merchantId !== undefined) actFor({ merchantId, environment });
}

/** Paths of health checks. They arrive every few seconds, so the server writes no log line for them. */
const HEALTH = /^\/(healthz|readyz)\/?(\?|$)/;
const REQUEST_ID = /^[\w.:-]{1,128}$/;

/**
 * The maximum number of log lines for aborted requests in one second. Further aborted requests of that second
 * share one line, because masking the secrets of a line takes 0.1 ms.
 */
const MOST_ABORTED_LINES = 10;
const SECOND_MS = 1_000;

/**
 * Returns a function that writes a log line for each of the first aborted requests of a second. It counts
 * further aborted requests in one line.
 */
export function abortedLines(log: Log): (write: () => void) => void {
  let lines = 0;
  let endsAt = 0;
  const count = summarizer(SECOND_MS, (aborted) => log.info({ aborted }, 'further requests aborted'));
  return (write) => {
    const now = performance.now();
    if (now >= endsAt) {
      lines = 0;
      endsAt = now + SECOND_MS;
    }
    lines += 1;
    if (lines <= MOST_ABORTED_LINES) write();
    else count();
  };
}

interface Following {
  log: Log;
  logAborted: ReturnType<typeof abortedLines>;
  next: () => void;
  beginsTraces: boolean;
}

/** Gives the request an id and a trace. When the request ends, writes its log line, metric and span. */
export function follow(
  req: HttpRequest,
  res: ServerResponse,
  { log, logAborted, next, beginsTraces }: Following,
): void {
  const received = headerOf(req, 'x-request-id') ?? '';
  const requestId = REQUEST_ID.test(received) ? received : newId();
  const sent = headerOf(req, 'traceparent');
  const { span, traceparent, callerTraceId } = beginServing(req.method ?? '', sent, beginsTraces);
  const startedAt = performance.now();
  req.startedAt = startedAt;
  res.setHeader('X-Request-Id', requestId);
  runInContext({ requestId, traceparent }, () => {
    // The context is kept for the listener, because 'close' fires outside of the request's context.
    const context = { requestId, traceparent };
    res.once('close', () => {
      if (HEALTH.test(req.url ?? '')) return;
      const ms = Math.round((performance.now() - startedAt) * 10) / 10;
      const isAborted = !res.writableFinished;
      const { method = '', environment = 'none' } = req;
      const route = routeOf(req);
      const status = isAborted ? 'aborted' : `${res.statusCode}`;
      requestSeconds({ method, route, environment, status }, ms / 1_000);
      const line = { method, route, status: res.statusCode, ms, isAborted, callerTraceId };
      const write = () => runInContext(context, () => log.info(line, 'request'));
      if (isAborted) logAborted(write);
      else write();
      span?.end(servedAs({ method, route, status: res.statusCode, isAborted }));
    });
    next();
  });
}

/**
 * Returns the pattern of the route, not the path, because a path may hold a secret and metrics need few
 * different values.
 */
function routeOf({ route }: HttpRequest): string {
  return typeof route?.path === 'string' ? route.path : NO_ROUTE;
}
