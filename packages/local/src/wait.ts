import { setTimeout as sleep } from 'node:timers/promises';

export interface WaitOptions {
  readonly timeoutMs?: number;
  /** A tenth of the time waited so far when left out, between 20 and 100 ms: most waits are short, and long ones cost little. */
  readonly intervalMs?: number;
}

/** A busy machine may take this long for work that an idle one does at once. */
export const WAIT_TIMEOUT_MS = 60_000;

/**
 * Repeats an assertion until it holds; when the time is over, fails as it failed last. The last try begins after that, so
 * that a busy machine which is late with one answer breaks no promise.
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
