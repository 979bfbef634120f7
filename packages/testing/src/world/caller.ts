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
  /** GET when nothing is said. */
  method?: string;
  headers?: Record<string, string>;
  /** Text and forms as they are, anything else as JSON. */
  body?: unknown;
}

export interface CallerOptions {
  /** How long it repeats what was refused before anything was done; 0 for a test about such a refusal. */
  repeatMs?: number;
}

export type Caller = (path: string, message?: Message) => Promise<Answered>;

const PAUSE_MS = 100;

/** Answers of services that have begun nothing: each is SERVICE_UNAVAILABLE, with a Retry-After. */
const BEFORE_ANYTHING = new Set([
  'the account is not known here yet; try again',
  'try again in a moment',
  'too many log in at once; try again shortly',
]);
/** The answer for an unavailable database, which may have committed the write. */
const DATABASE_AWAY = 'try again shortly';

interface Refused {
  status: number;
  error?: { code: string; message: string } | undefined;
  /** The header's value. */
  retryAfter: string | null | undefined;
}

/** Whether the same request may be sent again as if it never had been. */
export function isLeftUndone({ status, error, retryAfter }: Refused, method = 'GET'): boolean {
  if (status !== 503 || error?.code !== 'SERVICE_UNAVAILABLE' || !retryAfter) return false;
  return BEFORE_ANYTHING.has(error.message) || (method === 'GET' && error.message === DATABASE_AWAY);
}

/** Asks again and again while `isUndone` says that nothing has come of it. */
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

/** Calls one replica of a service, and repeats what it left undone. */
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
