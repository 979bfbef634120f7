import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';

/** The context of a piece of work and of everything it causes: log lines, calls to other services, events. */
export interface RequestContext {
  /** Absent in a scheduled job and for a consumed message. */
  requestId?: string;
  /** Names the platform's own step of the trace, never the caller's. */
  readonly traceparent: string;
  /** The account of a request in one environment, once it is known. */
  tenant?: { merchantId: string; environment: 'sandbox' | 'production' };
  /** The caller's network. The request's statements take turns under this name until the account is known. */
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

/** Records the account of the current request; its statements take turns with those of other accounts. */
export function actFor({ merchantId, environment }: NonNullable<RequestContext['tenant']>): void {
  const context = currentContext();
  if (context) context.tenant = { merchantId, environment };
}

/**
 * Records the network of the current request; its statements take turns with those of other networks and
 * accounts.
 */
export function comeFrom(network: string): void {
  const context = currentContext();
  if (context) context.network = network;
}

/** Removes the network from the current request, because its caller is known and is not an account. */
export function leaveNetwork(): void {
  const context = currentContext();
  if (context) delete context.network;
}

interface TraceContext {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

/** Refuses ids of zeros only and version ff (W3C Trace Context, 3.2.2). */
const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]([0-9a-f])(-.*)?$/;

/** Reads a `traceparent`. Returns undefined when it is invalid. Ignores the fields of later versions. */
export function readTraceparent(received: string | null | undefined): TraceContext | undefined {
  const match = TRACEPARENT.exec(received ?? '');
  if (!match) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = match;
  if (version === '00' && more !== undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/**
 * Writes a `traceparent` with the flag of version 00. A `tracestate` is never sent, because no service writes
 * one.
 */
export function toTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/** A buffer of random bytes, because a system call for each id costs more than the other steps of an id. */
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
 * Returns a W3C trace context for a new step: in the caller's trace when it sent one, otherwise in a new
 * trace.
 */
export function continueTrace(received: string | null | undefined): string {
  const { traceId = randomHex(16), isSampled = true } = readTraceparent(received) ?? {};
  return toTraceparent({ traceId, spanId: randomHex(8), isSampled });
}

export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}

/** Returns the trace id for a search in the logs, if the row has one. */
export function traceIn(traceparent: string | null): { traceId?: string } {
  return traceparent === null ? {} : { traceId: traceIdOf(traceparent) };
}
