import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@plataforma/data';
import { coalesced, type Log } from '@plataforma/observe';
import { failPoint } from '../fail-points.ts';
import { type Result, recordResults } from '../store/deliveries.ts';

export interface ResultRecorder {
  add(result: Result): void;
  /** Records the remaining results, if the database answers. */
  stop(): Promise<void>;
}

const BATCH_SIZE = 500;
const RETRY_DELAY_MS = 250;
/** The pause after a batch that was not full, so that the next batch contains more results. */
const COLLECT_MS = 20;

/**
 * Creates the recorder of results. It writes the first result at once, and results that arrive during a write
 * as the next batch. It retries a failed batch. A result for an ended lease changes nothing.
 */
export function createResultRecorder({
  database,
  log,
  onRecorded,
}: {
  database: Database;
  log: Log;
  onRecorded: (results: readonly Result[]) => void;
}): ResultRecorder {
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
      log.error({ err: error, results: batch.length }, 'delivery results not recorded; a retry follows');
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
