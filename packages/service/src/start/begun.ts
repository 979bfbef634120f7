import type { Log } from '@plataforma/observe';

/**
 * The levels of a service, from the lowest. Each level serves the levels above it. The entry points (servers,
 * listener, jobs) stop first, while the dependencies, such as the relay, still serve them.
 */
const levels = ['database', 'metrics', 'dependencies', 'entryPoints'] as const;
export type Level = (typeof levels)[number];

export type StopFunction = () => Promise<unknown>;

interface BegunOptions {
  log: Log;
  /** The signal that is aborted when the process must stop during its start. */
  stopping?: AbortSignal | undefined;
}

/** The components that a start has already begun. */
export interface Begun {
  /**
   * Adds the stop function of a component. If `stopping` is aborted, it then throws the reason, so that no
   * further component begins.
   */
  add(level: Level, stop: StopFunction): void;
  /**
   * Stops all components once, level by level from the highest. Returns the errors of their stop functions.
   */
  stopAll(): Promise<unknown[]>;
}

export function createBegun({ log, stopping }: BegunOptions): Begun {
  const begun: { level: Level; stop: StopFunction }[] = [];

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
        // The components of a level stop in parallel. Draining a server and ending the last work of a job may
        // each take most of the time for a stop.
        for (const end of await Promise.allSettled(stops.map(async ({ stop }) => stop()))) {
          if (end.status === 'fulfilled') continue;
          log.warn({ err: end.reason, level }, 'component stop failed');
          errors.push(end.reason);
        }
      }
      return errors;
    },
  };
}
