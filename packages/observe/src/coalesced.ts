import { outsideContext } from './context.ts';

/** Runs `work`, which never throws, one at a time. Calls during a run cause one more run. */
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
      // Leave the caller's context, because the run also serves later calls.
      running ??= outsideContext(run);
    },
    /** Waits for the requested runs. Later calls start nothing. */
    stop: async () => {
      isStopped = true;
      await running;
    },
  };
}
