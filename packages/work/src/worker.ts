import { type Database, startPolling } from '@plataforma/data';
import type { Clock } from '@plataforma/kernel';
import { type Log, runJob } from '@plataforma/observe';

export type LogFields = Readonly<Record<string, string>>;

export interface ClaimedJob {
  id: string;
  /** The log fields that identify an item whose id is a secret. Without them, the log shows the id. */
  logFields?: LogFields;
  /** Works on the item; `until` is the end of the lease. An error postpones the item. */
  work(until: Date): Promise<void>;
  /**
   * Postpones an item after a failure. Without this function, the item is due again when its lease ends, or
   * later if its backoff is longer.
   */
  putOff?: () => Promise<void>;
}

/** A kind of work. Its items do not wait for items of another kind. */
export interface WorkKind {
  name: string;
  /**
   * The maximum number of items of this kind that this process works on at the same time. The default is
   * `atOnce` of the worker's options.
   */
  atOnce?: number | undefined;
  /** Claims at most `limit` due items, and none of the items in `except`. */
  claimDue(request: {
    now: Date;
    leaseMs: number;
    limit: number;
    except: readonly string[];
  }): Promise<ClaimedJob[]>;
}

export interface WorkerOptions {
  log: Log;
  clock: Clock;
  /**
   * The interval between queries for due items while this process writes to the database. Otherwise the next
   * query runs when an item is due, or after twenty intervals at the latest.
   */
  everyMs: number;
  leaseMs: number;
  /**
   * The maximum number of items of each kind that this process works on at the same time. A kind may set its
   * own number.
   */
  atOnce: number;
}

interface Workers extends WorkerOptions {
  database: Pick<Database, 'writes'>;
  kinds: readonly WorkKind[];
  /**
   * Returns, for each kind in order, true when the kind has a due item. One query checks all kinds, so that
   * an idle service sends few queries.
   */
  findDue: () => Promise<readonly boolean[]>;
  /** Returns the milliseconds until an item of any kind is due. */
  dueIn?: () => Promise<number | undefined>;
}

export interface RunningWorkers {
  /** Claims items at once, without a check whether an item is due. */
  wake(): void;
  /** Claims no further items, and waits for the items that are being worked on. */
  stop(): Promise<void>;
}

/** Claims due items as soon as a slot is free, so that a slow item does not delay other items. */
export function startWorkers({ database, kinds, findDue, dueIn, ...workerOptions }: Workers): RunningWorkers {
  const { log, everyMs } = workerOptions;
  const workers = kinds.map((kind) => createWorker(kind, workerOptions));
  let isDue = false;
  async function takeUp(): Promise<void> {
    const due = await findDue();
    isDue = due.includes(true);
    for (const [index, worker] of workers.entries()) if (due[index]) worker.takeUp();
  }
  const polling = startPolling({
    ...{ database, log, name: 'what is due', everyMs, poll: takeUp },
    // While an item is due, poll again at once, because the last claim may have failed.
    dueIn: async () => (isDue ? 0 : dueIn?.()),
  });
  return {
    wake() {
      for (const worker of workers) worker.wake();
    },
    async stop() {
      const stopped = polling.stop();
      await Promise.all(workers.map((worker) => worker.stop()));
      await stopped;
    },
  };
}

function createWorker(
  { name, claimDue, ...own }: WorkKind,
  { log, clock, leaseMs, ...options }: WorkerOptions,
) {
  const atOnce = own.atOnce ?? options.atOnce;
  const underWay = new Map<string, Promise<void>>();
  let isStopped = false;
  /** True when `wake` was called after the start of the last claim. */
  let isWoken = false;
  let taking: Promise<void> | undefined;

  async function attempt({ id, logFields = { id }, work, putOff }: ClaimedJob, until: Date): Promise<void> {
    const fields = { ...logFields, work: name };
    try {
      await work(until);
    } catch (error) {
      log.warn({ err: error, ...fields }, 'put off');
      await putOff?.().catch((err) => log.warn({ err, ...fields }, 'could not be put off'));
    }
  }

  function begin(job: ClaimedJob, until: Date): void {
    underWay.set(
      job.id,
      attempt(job, until).then(() => void underWay.delete(job.id)),
    );
  }

  async function takeAll(): Promise<void> {
    while (!isStopped) {
      const limit = atOnce - underWay.size;
      if (limit === 0) {
        await Promise.race(underWay.values());
        continue;
      }
      isWoken = false;
      const now = clock();
      const due = await claimDue({ now, leaseMs, limit, except: [...underWay.keys()] });
      const until = new Date(now.getTime() + leaseMs);
      for (const job of due) begin(job, until);
      if (due.length < limit && !isWoken) return;
    }
  }

  function takeUp(): void {
    if (isStopped) return;
    taking ??= runJob({ log, name, work: takeAll }).then(() => {
      taking = undefined;
      if (isWoken) takeUp();
    });
  }

  return {
    takeUp,
    wake(): void {
      isWoken = true;
      takeUp();
    },
    async stop(): Promise<void> {
      isStopped = true;
      await taking;
      await Promise.all(underWay.values());
    },
  };
}
