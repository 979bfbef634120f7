export interface Alarm {
  ringIn(ms: number): void;
  stop(): void;
}

/** Rings at or just after each time asked for; times close to each other share one ring. */
const SLOT_MS = 20;
/** A look of the schedule finds later times, at least every ten seconds, so that no timer runs for hours. */
const FAR_MS = 60_000;

export function createAlarm(ring: () => void): Alarm {
  const timers = new Map<number, NodeJS.Timeout>();

  return {
    ringIn(ms) {
      if (ms > FAR_MS) return;
      const slot = Math.ceil((performance.now() + ms) / SLOT_MS);
      if (timers.has(slot)) return;
      const timer = setTimeout(
        () => {
          timers.delete(slot);
          ring();
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
