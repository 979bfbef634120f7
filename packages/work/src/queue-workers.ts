import type { Database, Queryable, Row } from '@plataforma/data';
import { type Clock, type Environment, environments } from '@plataforma/kernel';
import { type Claimed, claimedOf, type Leased } from './lease.ts';
import type { LeaseRequest, Queue } from './queue.ts';
import {
  type ClaimedJob,
  type LogFields,
  type RunningWorkers,
  startWorkers,
  type WorkerOptions,
} from './worker.ts';

interface WorkOf<R extends Row, Item extends { id: string }> {
  name: string;
  /** The environments that have work of this kind. The default is all environments. */
  environments?: readonly Environment[];
  /**
   * The maximum number of items of one environment that this process works on at the same time. The default
   * is the number for all queues.
   */
  atOnce?: number | undefined;
  queue: Queue<R>;
  read: (row: R) => Item;
  /** Works on an item; `until` is the end of the lease. An error postpones the item. */
  work: (item: Item, until: Date) => Promise<void>;
  /**
   * Sets the time when a failed item is due again. Without this function, the item is due when its lease
   * ends, or after the backoff if the backoff is longer.
   */
  putOff?: (item: Item) => Promise<void>;
  /**
   * Returns the log fields that identify an item whose id is a secret. Without this function, the log shows
   * the id.
   */
  logFields?: (item: Item) => LogFields;
}

export interface QueueWork {
  name: string;
  environments: readonly Environment[];
  atOnce?: number | undefined;
  /** Returns SQL that is true when the environment has a due item. */
  isDue(environment: Environment): string;
  /** Returns SQL of the time when the environment's next item is due. */
  nextDue(environment: Environment): string;
  claimDue(db: Queryable, request: LeaseRequest): Promise<ClaimedJob[]>;
}

export function queueWork<R extends Row, Item extends { id: string }>(of: WorkOf<R, Item>): QueueWork {
  const { name, environments: own = environments, atOnce, queue, read, work, putOff, logFields } = of;
  const jobOf = (item: Item): ClaimedJob => ({
    id: item.id,
    work: (until) => work(item, until),
    ...(putOff && { putOff: () => putOff(item) }),
    ...(logFields && { logFields: logFields(item) }),
  });
  return {
    name,
    environments: own,
    atOnce,
    isDue: queue.isDue,
    nextDue: queue.nextDue,
    claimDue: async (db, request) => (await queue.claimDue(db, request)).map((row) => jobOf(read(row))),
  };
}

interface LeasedWorkOf<R extends Row, Item extends Leased> {
  name: string;
  /** The environments that have work of this kind. The default is all environments. */
  environments?: readonly Environment[];
  /**
   * The maximum number of items of one environment that this process works on at the same time. The default
   * is the number that applies to all queues.
   */
  atOnce?: number | undefined;
  queue: Queue<R>;
  read: (row: R) => Item;
  clock: Clock;
  /** Works on the item, and sets the time when the item is due again. */
  work: (claimed: Claimed<Item>) => Promise<unknown>;
}

/**
 * Returns the work of a queue whose claims have tokens. The token prevents a process whose lease has ended
 * from overwriting the result of a later claim.
 */
export function leasedWork<R extends Row, Item extends Leased & { id: string }>(
  of: LeasedWorkOf<R, Item>,
): QueueWork {
  const { queue, read, clock, ...common } = of;
  const work = async (item: Item) => void (await of.work(claimedOf(item, clock)));
  return queueWork({ ...common, queue, read, work });
}

interface QueueWorkers extends WorkerOptions {
  database: Database;
  works: readonly QueueWork[];
  /** Called after each claim that returned at least one item. */
  onClaimed?: () => void;
}

/**
 * Works on the items of queues. Each queue and environment has its own workers, so that a slow provider
 * delays no other work.
 */
export function startQueueWorkers(options: QueueWorkers): RunningWorkers {
  const { database, works, onClaimed, ...workerOptions } = options;
  const pairs = works.flatMap((work) => work.environments.map((environment) => ({ environment, work })));
  const dueQuery = `SELECT ARRAY[${pairs.map(({ environment, work }) => work.isDue(environment)).join(', ')}]
    AS due`;
  const next = `SELECT least(${pairs.map(({ environment, work }) => work.nextDue(environment)).join(', ')}) AS
    at`;
  return startWorkers({
    ...workerOptions,
    database,
    kinds: pairs.map(({ environment, work }) => ({
      name: `${work.name} (${environment})`,
      atOnce: work.atOnce,
      claimDue: async (request) => {
        const jobs = await work.claimDue(database, { environment, ...request });
        if (jobs.length > 0) onClaimed?.();
        return jobs;
      },
    })),
    // PostgreSQL plans this query anew each time, because a plan made for an empty table would read the whole
    // table later.
    findDue: async () =>
      (await database.queryUnprepared<{ due: boolean[] }>(dueQuery, [workerOptions.clock()]))[0]?.due ?? [],
    async dueIn() {
      const now = workerOptions.clock();
      const [row] = await database.queryUnprepared<{ at: Date | null }>(next, [now]);
      return row?.at ? row.at.getTime() - now.getTime() : undefined;
    },
  });
}
