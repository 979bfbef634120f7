import { type Database, isRowRefused, isTransientDatabaseError } from '@plataforma/data';
import { every, type Log } from '@plataforma/observe';
import { metrics } from './metrics.ts';
import { insertRequests, type RequestLine, textOf } from './store/request-log.ts';

const FLUSH_INTERVAL_MS = 1_000;
/** The maximum number of lines that one statement inserts. */
const BATCH = 1_000;
/**
 * The largest number of lines in memory: about 6 MB, which a replica at its highest rate writes in some
 * seconds.
 */
const MAX_WAITING = 20_000;
/**
 * The maximum number of lines per second for one environment of a merchant. It equals the default of
 * `RATE_LIMIT_PER_KEY`.
 */
const MAX_A_SECOND = 100;
/**
 * Errors that are logged at most once per second for each API key, so that a refused caller does not fill the
 * log.
 */
const TURNED_AWAY = new Set(['RATE_LIMITED', 'API_KEY_REVOKED', 'API_KEY_EXPIRED', 'IP_NOT_ALLOWED']);

const lost = metrics.recorder('plataforma_request_log_lost_total', [
  { cause: 'full' },
  { cause: 'many' },
  { cause: 'refused' },
  { cause: 'stopped' },
]);

/**
 * Writes merchants' requests to the log in batches, so that no request waits for the database or fails
 * because of it.
 */
export interface RequestLog {
  add(line: RequestLine): void;
  /** Writes the waiting lines. A killed process loses the lines of about a second. */
  stop(): Promise<void>;
}

interface RequestLogOptions {
  database: Database;
  log: Log;
  everyMs?: number;
  maxWaiting?: number;
  maxASecond?: number;
  /** Returns a number of milliseconds that only increases. */
  elapsed?: () => number;
}

export function startRequestLog({
  database,
  log,
  everyMs = FLUSH_INTERVAL_MS,
  maxWaiting = MAX_WAITING,
  maxASecond = MAX_A_SECOND,
  elapsed = () => performance.now(),
}: RequestLogOptions): RequestLog {
  let waiting: string[] = [];
  const isWithinShare = sharesOf(maxASecond, elapsed);

  /**
   * Writes the waiting lines. After a transient error they wait for the next run. A batch that the database
   * refuses is halved until only the invalid line is lost.
   */
  async function flush(): Promise<void> {
    let size = BATCH;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, size);
      try {
        await insertRequests(database, batch);
      } catch (error) {
        if (isTransientDatabaseError(error)) throw error;
        if (isRowRefused(error) && batch.length > 1) {
          size = Math.ceil(batch.length / 2);
          continue;
        }
        lost({ cause: 'refused' }, batch.length);
        log.error({ err: error, lines: batch.length }, 'request log lines refused and lost');
      }
      waiting = waiting.slice(batch.length);
      size = Math.min(2 * size, BATCH);
    }
  }

  const flushing = every({ everyMs, log, name: 'write the request log', work: flush });
  return {
    add(line) {
      if (!isWithinShare(line)) lost({ cause: 'many' }, 1);
      else if (waiting.length < maxWaiting) waiting.push(textOf(line));
      else lost({ cause: 'full' }, 1);
    },
    async stop() {
      await flushing.stop();
      await flush().catch((error) => {
        lost({ cause: 'stopped' }, waiting.length);
        log.warn({ err: error, lines: waiting.length }, 'last request log lines not written');
      });
    },
  };
}

/**
 * Returns a function that says whether a line may be logged in the current second. Each environment of a
 * merchant has its own limit of lines per second.
 */
function sharesOf(maxASecond: number, elapsed: () => number): (line: RequestLine) => boolean {
  const taken = new Map<string, number>();
  let second = 0;
  const isOneOf = (most: number, of: string) => {
    const count = (taken.get(of) ?? 0) + 1;
    taken.set(of, count);
    return count <= most;
  };
  return ({ merchantId, environment, apiKeyId, errorCode }) => {
    const now = Math.floor(elapsed() / 1_000);
    if (now !== second) taken.clear();
    second = now;
    const isTurnedAway = errorCode !== null && TURNED_AWAY.has(errorCode);
    if (isTurnedAway && !isOneOf(1, `${merchantId} ${apiKeyId} ${errorCode}`)) return false;
    return isOneOf(maxASecond, `${merchantId} ${environment}`);
  };
}
