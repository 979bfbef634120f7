import { runInContext } from './context.ts';
import type { Log } from './log.ts';
import { beginJob, kindOf } from './traces.ts';

interface Job {
  log: Log;
  name: string;
  work: () => Promise<unknown>;
}

interface Repetition extends Job {
  everyMs: number;
  /** The delay before the first run; `everyMs` when absent. */
  firstMs?: number;
}

/** Runs `work` once in a trace of its own. If `work` throws, logs the error and does not rethrow it. */
export async function runJob({ log, name, work }: Job): Promise<void> {
  const job = beginJob(() => ({ kind: 'internal', name: `job ${name}`, parent: undefined }));
  const fail = (error: unknown) => {
    log.warn({ err: error, job: name }, 'scheduled job failed; a retry follows');
    return kindOf(error);
  };
  const failure = await runInContext(job, () =>
    Promise.resolve()
      .then(work)
      .then(() => undefined, fail),
  );
  job.end({ failure });
}

/**
 * Runs `work` repeatedly until `stop` is called, never twice at the same time. Logs a failure and continues
 * with the next run.
 */
export function every({ everyMs, firstMs = everyMs, ...job }: Repetition): { stop(): Promise<void> } {
  let isStopped = false;
  let running: Promise<unknown> = Promise.resolve();
  let timer = setTimeout(run, firstMs);

  function run(): void {
    running = runJob(job).then(() => {
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
