import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { REPEAT_MS } from '../timeouts.ts';

export const envelope = z.object({
  success: z.boolean(),
  data: z.unknown().optional(),
  meta: z.looseObject({ next: z.string().optional() }).optional(),
  error: z.object({ code: z.string(), message: z.string(), reason: z.string().optional() }).optional(),
});

export interface Answered extends z.infer<typeof envelope> {
  status: number;
  headers: Headers;
}

export interface Message {
  /** The HTTP method; the default is GET. */
  method?: string;
  headers?: Record<string, string>;
  /** The body of the request. Texts and forms are sent unchanged, and all other values as JSON. */
  body?: unknown;
}

export interface CallerOptions {
  /**
   * The milliseconds for which the caller repeats a request that the service refused before any work. A test
   * of such a refusal sets 0.
   */
  repeatMs?: number;
}

export type Caller = (path: string, message?: Message) => Promise<Answered>;

const PAUSE_MS = 100;

/**
 * The error messages of a service that has refused a request before it did any work. The responses have the
 * code SERVICE_UNAVAILABLE and a header Retry-After.
 */
const BEFORE_ANYTHING = new Set([
  'the account is not known here yet; try again',
  'try again in a moment',
  'too many log-ins at once; try again shortly',
]);
/**
 * The error message of a service that lost its database during the request. The service may have committed
 * the change before the loss.
 */
const DATABASE_AWAY = 'try again shortly';

interface Refused {
  status: number;
  error?: { code: string; message: string } | undefined;
  retryAfter: string | null | undefined;
}

/** Returns true if the service has certainly done nothing, so that the caller may repeat the request. */
export function isLeftUndone({ status, error, retryAfter }: Refused, method = 'GET'): boolean {
  if (status !== 503 || error?.code !== 'SERVICE_UNAVAILABLE' || !retryAfter) return false;
  return BEFORE_ANYTHING.has(error.message) || (method === 'GET' && error.message === DATABASE_AWAY);
}

/** Repeats a request while `isUndone` is true for its answer, but for at most `repeatMs` milliseconds. */
export async function repeatWhileUndone<A>(
  ask: () => Promise<A>,
  isUndone: (answer: A) => boolean,
  repeatMs = REPEAT_MS,
): Promise<A> {
  const deadline = Date.now() + repeatMs;
  for (;;) {
    const answer = await ask();
    if (!isUndone(answer) || Date.now() >= deadline) return answer;
    await sleep(PAUSE_MS);
  }
}

/**
 * Returns a function that calls one replica, and repeats a request that the replica refused before it did any
 * work.
 */
export function callerTo(url: string, { repeatMs }: CallerOptions = {}): Caller {
  return (path, message = {}) =>
    repeatWhileUndone(
      () => callOnce(url + path, message),
      ({ headers, ...answer }) =>
        isLeftUndone({ ...answer, retryAfter: headers.get('retry-after') }, message.method),
      repeatMs,
    );
}

async function callOnce(url: string, { method = 'GET', headers, body }: Message): Promise<Answered> {
  const isPlain = typeof body === 'string' || body instanceof FormData;
  const isForm = body === undefined || body instanceof FormData;
  const answer = await fetch(url, {
    method,
    headers: { ...(isForm ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: isPlain ? body : JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, ...envelope.parse(await answer.json()) };
}
