import { outsideContext } from './context.ts';

/** Runs `work`, which never throws, one at a time; calls that come while it runs make it run once more. */
export function coalesced(work: () => Promise<void>): { now: () => void; stop: () => Promise<void> } {
  let running: Promise<void> | undefined;
  let isWanted = false;
  let isStopped = false;

  async function run(): Promise<void> {
    while (isWanted) {
      isWanted = false;
      await work();
    }
    running = undefined;
  }

  return {
    now: () => {
      if (isStopped) return;
      isWanted = true;
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
