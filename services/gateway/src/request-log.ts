import { type Database, isTransientDatabaseError } from '@plataforma/data';
import { every, type Log } from '@plataforma/observe';
import { metrics } from './metrics.ts';
import { insertRequests, type RequestLine, textOf } from './store/request-log.ts';

const FLUSH_INTERVAL_MS = 1_000;
/** Written by one statement. */
const BATCH = 1_000;
/** Some seconds of the most that a replica forwards: about 6 MB. */
const MAX_WAITING = 20_000;

const lost = metrics.recorder('plataforma_request_log_lost_total', [
  { cause: 'full' },
  { cause: 'refused' },
  { cause: 'stopped' },
]);

/** Writes down which requests merchants made, some of them at a time: no request waits for that, or fails with it. */
export interface RequestLog {
  add(line: RequestLine): void;
  /** Writes what waits. Of a process that is killed the lines of a second are missing. */
  stop(): Promise<void>;
}

interface RequestLogOptions {
  database: Database;
  log: Log;
  everyMs?: number;
  maxWaiting?: number;
}

export function startRequestLog({
  database,
  log,
  everyMs = FLUSH_INTERVAL_MS,
  maxWaiting = MAX_WAITING,
}: RequestLogOptions): RequestLog {
  let waiting: string[] = [];

  /** A batch stays until it is written, or will never be. */
  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH);
      try {
        await insertRequests(database, batch);
      } catch (error) {
        if (isTransientDatabaseError(error)) throw error;
        lost({ cause: 'refused' }, batch.length);
        log.error({ err: error, lines: batch.length }, 'lines of the request log were refused, and are lost');
      }
      waiting = waiting.slice(batch.length);
    }
  }

  const flushing = every({ everyMs, log, name: 'write the request log', work: flush });
  return {
    add(line) {
      if (waiting.length < maxWaiting) waiting.push(textOf(line));
      else lost({ cause: 'full' }, 1);
    },
    async stop() {
      await flushing.stop();
      await flush().catch((error) => {
        lost({ cause: 'stopped' }, waiting.length);
        log.warn({ err: error, lines: waiting.length }, 'the last lines of the request log were not written');
      });
    },
  };
}
