import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';

/**
 * The context of a request or job. Its ids are in all log lines, calls to other services and events that the
 * work causes.
 */
export interface RequestContext {
  /** The request's id. Absent in a scheduled job and during the processing of a message. */
  requestId?: string;
  /** The W3C `traceparent` of this process's own step, not of the caller's step. */
  readonly traceparent: string;
  /** The account and environment of the request. Absent until the caller is authenticated. */
  tenant?: { merchantId: string; environment: 'sandbox' | 'production' };
  /**
   * The IP network of the caller. Until the account is known, the database client schedules the request's SQL
   * statements fairly among networks.
   */
  network?: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

export function runInContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}

/** Runs work that does not belong to the current request, such as a background job or a shared connection. */
export function outsideContext<T>(work: () => T): T {
  return storage.exit(work);
}

export function currentContext(): RequestContext | undefined {
  return storage.getStore();
}

/**
 * Records the account of the current request. The database client then schedules the request's SQL statements
 * fairly among accounts.
 */
export function actFor({ merchantId, environment }: NonNullable<RequestContext['tenant']>): void {
  const context = currentContext();
  if (context) context.tenant = { merchantId, environment };
}

/**
 * Records the IP network of the current request. The database client then schedules the request's SQL
 * statements fairly among networks and accounts.
 */
export function comeFrom(network: string): void {
  const context = currentContext();
  if (context) context.network = network;
}

/**
 * Removes the IP network from the current request, for a caller that is known but is not an account, such as
 * an operator.
 */
export function leaveNetwork(): void {
  const context = currentContext();
  if (context) delete context.network;
}

interface TraceContext {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

/** Matches a valid `traceparent`. Version ff and ids of only zeros are invalid (W3C Trace Context, 3.2.2). */
const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]([0-9a-f])(-.*)?$/;

/**
 * Parses a `traceparent`. Returns undefined if it is invalid. Ignores fields that later versions of the
 * format add.
 */
export function readTraceparent(received: string | null | undefined): TraceContext | undefined {
  const match = TRACEPARENT.exec(received ?? '');
  if (!match) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = match;
  if (version === '00' && more !== undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/**
 * Formats a `traceparent` of version 00. The platform never sends a `tracestate`, because no service creates
 * one.
 */
export function toTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/**
 * A buffer of random bytes for several ids. A system call for each id would be the most expensive part of an
 * id.
 */
const random = Buffer.alloc(4_096);
let used = random.length;

function randomHex(bytes: number): string {
  if (used + bytes > random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += bytes;
  return random.toString('hex', used - bytes, used);
}

/**
 * Returns the `traceparent` of a new step. The step belongs to the trace in `received`, or to a new trace if
 * `received` is missing or invalid.
 */
export function continueTrace(received: string | null | undefined): string {
  const { traceId = randomHex(16), isSampled = true } = readTraceparent(received) ?? {};
  return toTraceparent({ traceId, spanId: randomHex(8), isSampled });
}

export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}

/** Returns the trace id of a database row as a field for a log line, or no field if the row has no trace. */
export function traceIn(traceparent: string | null): { traceId?: string } {
  return traceparent === null ? {} : { traceId: traceIdOf(traceparent) };
}
