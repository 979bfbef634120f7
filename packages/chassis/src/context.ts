import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';

/** What follows a request through everything it causes: log lines, calls to other services, events. */
export interface RequestContext {
  requestId: string;
  traceparent: string;
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

/** Version 00; an id of zeros only is no id (W3C Trace Context, 3.2.2). */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/;

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
export function continueTrace(received: string | undefined): string {
  const match = TRACEPARENT.exec(received ?? '');
  const traceId = match?.[1] ?? randomHex(16);
  return `00-${traceId}-${randomHex(8)}-${match?.[2] ?? '01'}`;
}

export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}
