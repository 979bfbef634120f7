import type { Log } from './log.ts';

interface Repetition {
  everyMs: number;
  log: Log;
  /** Named in the log when it fails. */
  name: string;
  work: () => Promise<unknown>;
}

/** Runs `work` again and again, never twice at a time, until stopped; a failure is logged and tried again later. */
export function every({ everyMs, log, name, work }: Repetition): { stop(): Promise<void> } {
  let isStopped = false;
  let running: Promise<unknown> = Promise.resolve();
  let timer = setTimeout(run, everyMs);

  function run(): void {
    running = Promise.resolve()
      .then(work)
      .catch((error) => log.warn({ err: error, job: name }, 'a scheduled job failed; it runs again'))
      .then(() => {
        if (!isStopped) timer = setTimeout(run, everyMs);
      });
  }

  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
