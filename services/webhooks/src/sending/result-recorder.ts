import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@plataforma/data';
import { coalesced, type Log } from '@plataforma/observe';
import { failPoint } from '../fail-points.ts';
import { type Result, recordResults } from '../store/deliveries.ts';

interface ResultRecorderDependencies {
  database: Database;
  log: Log;
  onRecorded: (results: readonly Result[]) => void;
}

export interface ResultRecorder {
  add(result: Result): void;
  /** Records the rest, if the database answers. */
  stop(): Promise<void>;
}

const BATCH_SIZE = 500;
const RETRY_DELAY_MS = 250;
/** The pause between batches that are not full, so that more results share the cost of one. */
const COLLECT_MS = 20;

/**
 * Records results in batches: the first at once, and while one batch is written the next collects. Retries a
 * batch that can't be written; if its leases run out meanwhile, it changes nothing.
 */
export function createResultRecorder({
  database,
  log,
  onRecorded,
}: ResultRecorderDependencies): ResultRecorder {
  let waiting: Result[] = [];
  let isStopping = false;
  const flushing = coalesced(flush);

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_SIZE);
      if (await isWritten(batch)) {
        waiting = waiting.slice(batch.length);
        onRecorded(batch);
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
