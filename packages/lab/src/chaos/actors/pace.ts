import { setTimeout as sleep } from 'node:timers/promises';

/** Limits how many calls all clients send per second. */
export interface Pace {
  /** Counts a call that is sent without a delay. The next act then waits longer. */
  spend(): void;
  /** Waits until the rate allows the next call. */
  wait(): Promise<void>;
}

/**
 * Returns a pace that limits the calls per second. Calls within one act are sent without a delay, so that
 * they reach the platform at the same time. The next act then waits longer.
 */
export function paceOf(callsPerSecond: number): Pace {
  let freeAt = 0;
  const take = () => {
    const at = Math.max(freeAt, Date.now());
    freeAt = at + 1_000 / callsPerSecond;
    return at;
  };
  return {
    spend() {
      take();
    },
    async wait() {
      await sleep(Math.max(0, take() - Date.now()));
    },
  };
}
