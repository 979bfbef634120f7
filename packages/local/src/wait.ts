import { setTimeout as sleep } from 'node:timers/promises';

export interface WaitOptions {
  readonly timeoutMs?: number;
  /**
   * The default is a tenth of the time waited so far, from 20 to 100 ms: short waits end soon, long ones cost
   * little.
   */
  readonly intervalMs?: number;
}

/** A busy machine may need this long for work that an idle one does at once. */
export const WAIT_TIMEOUT_MS = 60_000;

/**
 * Repeats an assertion until it holds; throws its last failure after the timeout. The last attempt begins
 * after the timeout, so that one late answer does not fail a test.
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
