export interface WakeTimer {
  wakeIn(ms: number): void;
  stop(): void;
}

/** Wakes at or just after each requested time; times within one slot share a wake-up. */
const SLOT_MS = 20;
/** The schedule's poll finds later times at least every ten seconds, so that no timer runs for hours. */
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
