import { outsideContext } from './context.ts';

/** Runs `work`, which never throws, one at a time; calls that come while it runs make it run once more. */
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
      // It works for later calls, too, in whatever context they come.
      running ??= outsideContext(run);
    },
    /** Waits for what was called for until now; nothing starts any more. */
    stop: async () => {
      isStopped = true;
      await running;
    },
  };
}
