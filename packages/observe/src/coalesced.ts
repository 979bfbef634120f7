import { outsideContext } from './context.ts';

/**
 * Returns a function `now` that runs `work`, which must never throw. Only one run is active at a time. All
 * calls of `now` during a run together cause one more run.
 */
export function coalesced(work: () => Promise<void>): { now: () => void; stop: () => Promise<void> } {
  let running: Promise<void> | undefined;
  let isRequested = false;
  let isStopped = false;

  async function run(): Promise<void> {
    while (isRequested) {
      isRequested = false;
      await work();
    }
    running = undefined;
  }

  return {
    now: () => {
      if (isStopped) return;
      isRequested = true;
      // Run outside of the caller's context, because the same run also serves callers that call later.
      running ??= outsideContext(run);
    },
    /** Waits until the requested runs have ended. Later calls of `now` do nothing. */
    stop: async () => {
      isStopped = true;
      await running;
    },
  };
}
