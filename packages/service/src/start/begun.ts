import type { Log } from '@plataforma/observe';

/**
 * What a service consists of, from the ground up; all of a level works for the levels above it. The entrances (servers,
 * listener, jobs) end their work while the parts, with the relay among them, still serve them.
 */
const levels = ['database', 'metrics', 'parts', 'entrances'] as const;
export type Level = (typeof levels)[number];

export type Stop = () => Promise<unknown>;

interface BegunOptions {
  log: Log;
  /** The process was told to stop while it starts. */
  stopping?: AbortSignal | undefined;
}

/** What a start has begun so far. */
export interface Begun {
  /** Throws the reason of `stopping` once that is aborted, with `stop` added: nothing more is begun. */
  add(level: Level, stop: Stop): void;
  /** Stops all of it once, level by level from the top, and answers the errors of what did not stop in order. */
  stopAll(): Promise<unknown[]>;
}

export function createBegun({ log, stopping }: BegunOptions): Begun {
  const begun: { level: Level; stop: Stop }[] = [];

  return {
    add(level, stop) {
      begun.push({ level, stop });
      stopping?.throwIfAborted();
    },
    async stopAll() {
      const newestFirst = begun.splice(0).reverse();
      const errors: unknown[] = [];
      for (const level of levels.toReversed()) {
        const stops = newestFirst.filter((one) => one.level === level);
        // Side by side: a drain and the last work of a job may each take most of the time a process has for its end.
        for (const end of await Promise.allSettled(stops.map(async ({ stop }) => stop()))) {
          if (end.status === 'fulfilled') continue;
          log.warn({ err: end.reason, level }, 'a part of the service did not stop in order');
          errors.push(end.reason);
        }
      }
      return errors;
    },
  };
}
