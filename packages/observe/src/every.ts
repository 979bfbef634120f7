import { runInContext } from './context.ts';
import type { Log } from './log.ts';
import { beginJob, kindOf } from './traces.ts';

interface Job {
  log: Log;
  /** Named in the log when it fails. */
  name: string;
  work: () => Promise<unknown>;
}

interface Repetition extends Job {
  everyMs: number;
  /** Before the first time; as long as between two when left out. */
  firstMs?: number;
}

/** Runs `work` once, with a trace of its own; a failure is logged. */
export async function runJob({ log, name, work }: Job): Promise<void> {
  const job = beginJob(() => ({ kind: 'internal', name: `job ${name}`, parent: undefined }));
  const fail = (error: unknown) => {
    log.warn({ err: error, job: name }, 'a scheduled job failed; it runs again');
    return kindOf(error);
  };
  const failure = await runInContext(job, () =>
    Promise.resolve()
      .then(work)
      .then(() => undefined, fail),
  );
  job.end({ failure });
}

/** Runs `work` again and again, never twice at a time, until stopped; a failure is logged and tried again later. */
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
