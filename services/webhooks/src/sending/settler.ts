import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@plataforma/data';
import { coalesced, type Log } from '@plataforma/observe';
import { failPoint } from '../fail-points.ts';
import { type Result, recordResults } from '../store/deliveries.ts';

interface SettlerParts {
  database: Database;
  log: Log;
  onSettled: (results: readonly Result[]) => void;
}

export interface Settler {
  add(result: Result): void;
  /** Settles what is left, if the database is there. */
  stop(): Promise<void>;
}

const BATCH_SIZE = 500;
const RETRY_DELAY_MS = 250;
/** Between two batches, unless there is a whole one: what a batch costs, and each endpoint in it, is shared by more. */
const COLLECT_MS = 20;

/**
 * Records results in batches of what has come: the first at once, and while one batch is written the next collects.
 * A batch that can't be written is tried until it can; meanwhile its leases may run out, and then it changes nothing.
 */
export function createSettler({ database, log, onSettled }: SettlerParts): Settler {
  let waiting: Result[] = [];
  let isStopping = false;
  const flushing = coalesced(flush);

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_SIZE);
      if (await isWritten(batch)) {
        waiting = waiting.slice(batch.length);
        onSettled(batch);
        if (waiting.length < BATCH_SIZE && !isStopping) await sleep(COLLECT_MS);
      } else if (isStopping) return;
      else await sleep(RETRY_DELAY_MS);
    }
  }

  async function isWritten(batch: readonly Result[]): Promise<boolean> {
    try {
      await recordResults(database, batch);
      failPoint('results.recorded');
      return true;
    } catch (error) {
      log.error({ err: error, results: batch.length }, 'results of deliveries could not be recorded yet');
      return false;
    }
  }

  return {
    add(result) {
      waiting.push(result);
      flushing.now();
    },
    async stop() {
      isStopping = true;
      await flushing.stop();
      await flush();
    },
  };
}
