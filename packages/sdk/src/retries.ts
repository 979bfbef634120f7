import { ApiError, ConnectionError, type RequestInput } from './client/index.ts';
import { UnknownOutcomeError } from './errors.ts';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;
/**
 * The longest wait before a retry. When the API asks for a longer wait (Retry-After), the call fails and the
 * caller must wait.
 */
const MAX_RETRY_AFTER_SECONDS = 60;

/**
 * Returns whether a repeat of the request has no second effect: for a GET, a DELETE, and a request with a
 * key.
 */
export function isRepeatable(name: string, { idempotencyKey }: RequestInput): boolean {
  return /^(GET|DELETE) /.test(name) || idempotencyKey !== undefined;
}

/** Sends a request, and repeats it while a further attempt may succeed and `retries` allows it. */
export async function retrying<Result>(
  name: string,
  { retries, signal, idempotencyKey }: Pick<RequestInput, 'signal' | 'idempotencyKey'> & { retries: number },
  send: (attempt: number) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  let before: unknown;
  let isUnconfirmed = false;
  const thrown = (error: unknown) =>
    isUnconfirmed && !(error instanceof ConnectionError)
      ? new UnknownOutcomeError(error, idempotencyKey)
      : error;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send(attempt);
    } catch (error) {
      if (error instanceof ApiError) error.cause ??= before;
      // An earlier attempt without a clear answer may have made the change, even if the API refuses this
      // attempt.
      isUnconfirmed ||= !name.startsWith('GET ') && leavesUnconfirmed(error, signal);
      const delayMs = attempt <= retries ? delayAfter(error, attempt) : null;
      if (delayMs === null) throw thrown(error);
      before = error;
      await pause(delayMs, signal).catch((reason) => {
        throw thrown(reason);
      });
    }
  }
}

/**
 * Returns whether the API may have made the change, or may still be making it, when the attempt ends with
 * this error.
 */
function leavesUnconfirmed(error: unknown, signal?: AbortSignal): boolean {
  if (!(error instanceof ApiError)) return error instanceof ConnectionError || signal?.aborted === true;
  return error.status >= 500 || error.status === 408 || error.code === 'REQUEST_IN_PROGRESS';
}

/**
 * Returns the milliseconds before the next attempt, or null when the next attempt would end in the same way.
 */
function delayAfter(error: unknown, attempt: number): number | null {
  if (error instanceof ConnectionError) return backoff(attempt);
  if (!(error instanceof ApiError) || !isPassing(error)) return null;
  const { retryAfter } = error;
  if (retryAfter === null) return backoff(attempt);
  return retryAfter <= MAX_RETRY_AFTER_SECONDS ? retryAfter * 1000 : null;
}

function isPassing({ status, code }: ApiError): boolean {
  return [408, 429, 503].includes(status) || code === 'REQUEST_IN_PROGRESS';
}

/**
 * The delay doubles with each attempt and has a random part, so that callers that failed together do not
 * retry together.
 */
function backoff(attempt: number): number {
  const delay = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS);
  return delay * (0.75 + Math.random() / 2);
}

/** Waits. Rejects with the signal's reason when the signal is aborted. */
function pause(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, delayMs);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}
