import { ApiError, ConnectionError, type RequestInput } from './client/index.ts';
import { UnknownOutcomeError } from './errors.ts';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;
/** A longer Retry-After ends the call, and the caller waits instead. */
const MAX_RETRY_AFTER_SECONDS = 60;

/** Returns whether a repeated request has a single effect. A PATCH and a POST without a key do not. */
export function isRepeatable(name: string, { idempotencyKey }: RequestInput): boolean {
  return /^(GET|DELETE) /.test(name) || idempotencyKey !== undefined;
}

/** Repeats a request until another attempt would not change the answer. */
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
      // A refusal of this attempt does not confirm an earlier one, which may have made the change.
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

/** Returns whether the change may have been made or may still be running. */
function leavesUnconfirmed(error: unknown, signal?: AbortSignal): boolean {
  if (!(error instanceof ApiError)) return error instanceof ConnectionError || signal?.aborted === true;
  return error.status >= 500 || error.status === 408 || error.code === 'REQUEST_IN_PROGRESS';
}

/** Returns the milliseconds before the next attempt, or null when it would end the same. */
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

/** Doubles with a jitter, so that callers that failed together do not retry together. */
function backoff(attempt: number): number {
  const delay = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS);
  return delay * (0.75 + Math.random() / 2);
}

/** Rejects with the signal's reason once it is aborted. */
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
