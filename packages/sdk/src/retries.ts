import { ApiError, ConnectionError, type RequestInput } from './client/index.ts';
import { UnknownOutcomeError } from './errors.ts';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;
/** A longer Retry-After is left to the caller, outside of the call. */
const MAX_RETRY_AFTER_SECONDS = 60;

/** True for a request that has one effect however often it is sent: not a PATCH, or a POST without a key. */
export function isRepeatable(name: string, { idempotencyKey }: RequestInput): boolean {
  return /^(GET|DELETE) /.test(name) || idempotencyKey !== undefined;
}

/** Tries until there is an answer that another try would not change. */
export async function retrying<Result>(
  name: string,
  { retries, signal, idempotencyKey }: Pick<RequestInput, 'signal' | 'idempotencyKey'> & { retries: number },
  once: (attempt: number) => Promise<Result>,
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
      return await once(attempt);
    } catch (error) {
      if (error instanceof ApiError) error.cause ??= before;
      // A refusal of this try says nothing of the one before it, which may have done what was asked.
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

/** No answer, or one that does not say whether it was done: it may have been, or may be under way. */
function leavesUnconfirmed(error: unknown, signal?: AbortSignal): boolean {
  if (!(error instanceof ApiError)) return error instanceof ConnectionError || signal?.aborted === true;
  return error.status >= 500 || error.status === 408 || error.code === 'REQUEST_IN_PROGRESS';
}

/** How long to wait before the next try; null: another one would end as this one did. */
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

/** Doubles, with a jitter, so that callers that failed together do not come back together. */
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
