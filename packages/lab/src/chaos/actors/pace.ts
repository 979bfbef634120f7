import { setTimeout as sleep } from 'node:timers/promises';

/** How many calls there are in a second, of all clients together. */
export interface Pace {
  /** Says that a call was made; it may go out at once, and is waited for later. */
  spend(): void;
  /** Waits until there may be one more. */
  wait(): Promise<void>;
}

/** Calls that are to meet each other are not drawn apart: whoever begins the next thing waits for them all. */
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
