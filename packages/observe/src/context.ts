import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';

/** Follows a piece of work through everything it causes: log lines, calls to other services, events. */
export interface RequestContext {
  /** None where no request is at work: in a scheduled job, with a consumed message. */
  requestId?: string;
  /** Names our own step of the trace, never the caller's. */
  readonly traceparent: string;
  /** The account that a request is for, in one environment, once it is known. */
  tenant?: { merchantId: string; environment: 'sandbox' | 'production' };
  /** The network that a request comes from, in whose turn its statements run until the account is known. */
  network?: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

export function runInContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}

/** For work that a request only happens to set off, such as a background job or a shared connection. */
export function outsideContext<T>(work: () => T): T {
  return storage.exit(work);
}

export function currentContext(): RequestContext | undefined {
  return storage.getStore();
}

/** Names the account that the current request is for; its statements take turns with those of other accounts. */
export function actFor({ merchantId, environment }: NonNullable<RequestContext['tenant']>): void {
  const context = currentContext();
  if (context) context.tenant = { merchantId, environment };
}

/** Names the network of the current request; its statements take turns with those of other networks and accounts. */
export function comeFrom(network: string): void {
  const context = currentContext();
  if (context) context.network = network;
}

/** Takes the current request out of the turns of its network: its caller is known, and is no account. */
export function leaveNetwork(): void {
  const context = currentContext();
  if (context) delete context.network;
}

interface TraceContext {
  traceId: string;
  /** The sending step's id. */
  spanId: string;
  isSampled: boolean;
}

/** An id of zeros only is no id, and there is no version ff (W3C Trace Context, 3.2.2). */
const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]([0-9a-f])(-.*)?$/;

/** Reads a `traceparent`; undefined when it is none. Ignores what later versions add. */
export function readTraceparent(received: string | null | undefined): TraceContext | undefined {
  const match = TRACEPARENT.exec(received ?? '');
  if (!match) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = match;
  if (version === '00' && more !== undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Sends only the flag of version 00, and no `tracestate`, because no service writes one. */
export function toTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/** Filled now and then: asking the system for each id costs more than all the rest of it. */
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

/** A W3C trace context for our part of the work: the caller's trace when it sent one, else a new trace. */
export function continueTrace(received: string | null | undefined): string {
  const { traceId = randomHex(16), isSampled = true } = readTraceparent(received) ?? {};
  return toTraceparent({ traceId, spanId: randomHex(8), isSampled });
}

export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}

/** The trace to look for in the logs, where one was kept. */
export function traceIn(traceparent: string | null): { traceId?: string } {
  return traceparent === null ? {} : { traceId: traceIdOf(traceparent) };
}
