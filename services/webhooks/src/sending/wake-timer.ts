export interface WakeTimer {
  wakeIn(ms: number): void;
  stop(): void;
}

/**
 * The precision of the timer. All wake-ups within this interval share one timer, which fires at the end of
 * the interval.
 */
const SLOT_MS = 20;
/**
 * The maximum delay for which a timer is set. The periodic poll finds deliveries that are due after a longer
 * time.
 */
const FAR_MS = 60_000;

export function createWakeTimer(wake: () => void): WakeTimer {
  const timers = new Map<number, NodeJS.Timeout>();

  return {
    wakeIn(ms) {
      if (ms > FAR_MS) return;
      const slot = Math.ceil((performance.now() + ms) / SLOT_MS);
      if (timers.has(slot)) return;
      const timer = setTimeout(
        () => {
          timers.delete(slot);
          wake();
        },
        slot * SLOT_MS - performance.now(),
      );
      timers.set(slot, timer.unref());
    },
    stop() {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
