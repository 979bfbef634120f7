import { setTimeout as sleep } from 'node:timers/promises';
import { types } from 'node:util';

/** The longest time for which a start waits for a server or a service. */
export const START_TIMEOUT_MS = 60_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

export interface RetryOptions {
  /** The name of the awaited server, for the error after the timeout. */
  readonly target: string;
  /** The time limit for all attempts together, in milliseconds. No limit by default. */
  readonly timeoutMs?: number;
  /** Returns true if a retry can't succeed; the error is then thrown without another attempt. */
  isHopeless?(error: unknown): boolean;
  /** Called once with the reason of the first failure. */
  onWait?(reason: string): void;
  readonly signal?: AbortSignal;
}

/**
 * Retries an attempt with backoff until it succeeds. Throws an error that names the target after the timeout.
 */
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

/**
 * Returns the text of an error: its message, or its code if the message is empty. Node's error has no message
 * if a host has several addresses and all refuse the connection.
 */
export function reasonOf(error: unknown): string {
  if (!types.isNativeError(error)) return String(error);
  const { message, cause } = error;
  const code = 'code' in error ? String(error.code) : '';
  // The reason of a failed `fetch` is only in the error's `cause`.
  const because = cause === undefined ? '' : ` (${reasonOf(cause)})`;
  return `${message || code || error.name}${because}`;
}
