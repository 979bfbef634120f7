import { setTimeout as sleep } from 'node:timers/promises';
import { types } from 'node:util';

/** For how long a start waits for a server or a service that does not answer yet. */
export const START_TIMEOUT_MS = 60_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

export interface RetryOptions {
  /** Whatever is waited for, as the message names it when the time is over. */
  readonly target: string;
  /** For ever when left out. */
  readonly timeoutMs?: number;
  /** Whether waiting can't mend what went wrong. */
  isHopeless?(error: unknown): boolean;
  /** Called once, if the first attempt fails. */
  onWait?(reason: string): void;
  readonly signal?: AbortSignal;
}

/** Attempts it with backoff until it succeeds; when the time is over, says for what it waited. */
export async function retryWithBackoff<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { target, timeoutMs = Number.POSITIVE_INFINITY, isHopeless = () => false, signal } = options;
  let { onWait } = options;
  const deadline = performance.now() + timeoutMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await attempt();
    } catch (error) {
      if (isHopeless(error)) throw error;
      if (performance.now() + pauseMs > deadline) {
        throw new Error(`Waited ${timeoutMs / 1000} s for ${target}: ${reasonOf(error)}`);
      }
      onWait?.(reasonOf(error));
      onWait = undefined;
    }
    await sleep(pauseMs, undefined, { signal });
  }
}

/** An attempt at several addresses of a host fails with a code and no message. */
export function reasonOf(error: unknown): string {
  if (!types.isNativeError(error)) return String(error);
  const { message, cause } = error;
  const code = 'code' in error ? String(error.code) : '';
  // A failed fetch says why in its cause alone.
  const because = cause === undefined ? '' : ` (${reasonOf(cause)})`;
  return `${message || code || error.name}${because}`;
}
