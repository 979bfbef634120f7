import { setTimeout as sleep } from 'node:timers/promises';

export interface WaitOptions {
  readonly timeoutMs?: number;
  /**
   * Milliseconds between two attempts. The default is a tenth of the time waited so far, but at least 20 ms
   * and at most 100 ms.
   */
  readonly intervalMs?: number;
}

/** A busy machine may need a minute for work that takes an idle machine a moment. */
export const WAIT_TIMEOUT_MS = 60_000;

/**
 * Repeats an assertion until it succeeds, and throws its last error after the timeout. One more attempt
 * begins after the timeout, so that a slow attempt does not fail a test.
 */
export async function eventually<T>(assertion: () => T | Promise<T>, options: WaitOptions = {}): Promise<T> {
  const { timeoutMs = WAIT_TIMEOUT_MS, intervalMs } = options;
  const startedAt = Date.now();
  const deadline = startedAt + timeoutMs;
  for (;;) {
    const isLast = Date.now() >= deadline;
    try {
      return await assertion();
    } catch (error) {
      if (isLast) throw error;
    }
    await sleep(intervalMs ?? Math.min(Math.max((Date.now() - startedAt) / 10, 20), 100));
  }
}
