import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Environment, environments, newId, type Tenant } from '@plataforma/kernel';
import { actFor, beginServing, type Log, NO_ROUTE, runInContext, servedAs } from '@plataforma/observe';
import { metrics } from './metrics.ts';
import { summarizer } from './summary.ts';

/** A request, with what express writes down on one. */
export interface HttpRequest extends IncomingMessage {
  res?: ServerResponse | undefined;
  route?: { path?: unknown };
  /** By `performance`. */
  startedAt?: number;
  /** The environment that the answer counts for; absent without a merchant's environment. */
  environment?: Environment;
}

const requestSeconds = metrics.recorder('plataforma_http_request_duration_seconds');

/** A header that is sent once, or of several of a name all that they say. */
export function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Reads `X-Environment`, whose other values were refused before. */
export function environmentOf(req: HttpRequest): Environment {
  const named = headerOf(req, 'x-environment');
  return environments.find((each) => each === named) ?? 'sandbox';
}

/** Counts the request for the environment. Lists of an account that is known take turns with those of other accounts. */
export function countFor(
  req: HttpRequest,
  { merchantId, environment }: Partial<Tenant> & Pick<Tenant, 'environment'>,
): void {
  req.environment = environment;
  if (merchantId !== undefined) actFor({ merchantId, environment });
}

/** Asked every few seconds by whoever runs us: not worth a line each. */
const HEALTH = /^\/(healthz|readyz)\/?(\?|$)/;
const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** So many aborted requests of a second have a line each, because a masked line takes a tenth of a millisecond. */
const MOST_ABORTED_LINES = 10;
const SECOND_MS = 1_000;

/** Writes the lines of the first aborted requests of each second, and counts the others in one line. */
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

/** Gives the request its id and trace, and writes the one line that says how it ended. */
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
    // Bound here because 'close' fires outside of the request's context.
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

/** The pattern, not the path: a path may carry a secret, and patterns can be counted. */
function routeOf({ route }: HttpRequest): string {
  return typeof route?.path === 'string' ? route.path : NO_ROUTE;
}
