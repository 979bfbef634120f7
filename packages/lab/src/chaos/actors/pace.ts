import { setTimeout as sleep } from 'node:timers/promises';

/** The rate of calls of all clients together. */
export interface Pace {
  /** Counts a call that goes out at once. Later calls wait for its share. */
  spend(): void;
  /** Waits until the rate allows one more call. */
  wait(): Promise<void>;
}

/**
 * Creates a pace. Calls within an act are not delayed, so that concurrent ones meet. The next act waits for
 * them.
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
