import { runInContext } from './context.ts';
import type { Log } from './log.ts';
import { beginJob, kindOf } from './traces.ts';

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
    const job = beginJob(() => ({ kind: 'internal', name: `job ${name}`, parent: undefined }));
    const fail = (error: unknown) => {
      log.warn({ err: error, job: name }, 'a scheduled job failed; it runs again');
      return kindOf(error);
    };
    running = runInContext(job, () =>
      Promise.resolve()
        .then(work)
        .then(() => undefined, fail),
    ).then((failure) => {
      job.end({ failure });
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
