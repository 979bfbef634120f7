import { every, type Log } from '@plataforma/chassis';
import type { Clock } from '@plataforma/kernel';

export interface WorkerOptions<Item extends { id: string }> {
  /** In the log. */
  name: string;
  log: Log;
  clock: Clock;
  /** Between two looks for what is due. */
  everyMs: number;
  leaseMs: number;
  /** How many items are at work here at most. */
  atOnce: number;
  /** Takes what is due, at most `limit` items and none of `except`. */
  claim: (claim: { now: Date; leaseMs: number; limit: number; except: readonly string[] }) => Promise<Item[]>;
  /** `until`: the end of the lease. What it throws puts the item off. */
  work: (item: Item, until: Date) => Promise<void>;
  /** Says when it is due again; left out, its lease and rest run out. */
  putOff?: (item: Item) => Promise<void>;
}

/**
 * Takes up what is due as soon as there is room: an item that takes long keeps no other waiting. Stopped, it takes up
 * nothing more and waits for what is at work.
 */
export function startWorker<Item extends { id: string }>(
  options: WorkerOptions<Item>,
): { stop(): Promise<void> } {
  const { name, log, clock, everyMs, leaseMs, atOnce, claim, putOff } = options;
  const underWay = new Map<string, Promise<void>>();
  let isStopped = false;

  async function attempt(item: Item, until: Date): Promise<void> {
    try {
      await options.work(item, until);
    } catch (error) {
      log.warn({ err: error, id: item.id, work: name }, 'put off');
      await putOff?.(item).catch((err) => log.warn({ err, id: item.id, work: name }, 'could not be put off'));
    }
  }

  function takeUp(item: Item, until: Date): void {
    underWay.set(
      item.id,
      attempt(item, until).then(() => void underWay.delete(item.id)),
    );
  }

  async function look(): Promise<void> {
    while (!isStopped) {
      const limit = atOnce - underWay.size;
      if (limit === 0) {
        await Promise.race(underWay.values());
        continue;
      }
      const now = clock();
      const due = await claim({ now, leaseMs, limit, except: [...underWay.keys()] });
      const until = new Date(now.getTime() + leaseMs);
      for (const item of due) takeUp(item, until);
      if (due.length < limit) return;
    }
  }

  const looking = every({ everyMs, log, name, work: look });
  return {
    async stop() {
      isStopped = true;
      await looking.stop();
      await Promise.all(underWay.values());
    },
  };
}
