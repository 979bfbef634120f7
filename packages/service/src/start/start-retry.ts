import { setTimeout as sleep } from 'node:timers/promises';
import { types } from 'node:util';
import { isDatabaseAway } from '@plataforma/data';
import { backoff } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';

/** Repeats a step of a start while the database is unavailable. Throws any other failure at once. */
export type StartRetry = <T>(step: () => Promise<T>) => Promise<T>;

interface StartSettings {
  DATABASE_URL: string;
  MIGRATION_DATABASE_URL?: string | undefined;
  /** Whether the start migrates. Undefined for a process that only migrates. */
  MIGRATE_ON_START?: boolean;
  START_DEADLINE_MS: number;
}

interface StartRetryOptions {
  config: StartSettings;
  log: Log;
  /**
   * When this signal is aborted, the retry stops waiting for the running step or for the database, and throws
   * the signal's reason.
   */
  stopping?: AbortSignal | undefined;
}

/**
 * The error of a database that was unavailable for START_DEADLINE_MS. The process prints only its `message`.
 */
export class DatabaseAway extends Error {}

const BACKOFF = { firstMs: 100, longestMs: 5_000 };

/**
 * Creates a retry for the steps of a start, because a database that is starting or overloaded refuses or is
 * slow. A step must be repeatable, because it may have completed although its answer was lost.
 */
export function createStartRetry({ config, log, stopping }: StartRetryOptions): StartRetry {
  const database = `the database at ${addressesOf(config)}`;

  return async (step) => {
    const nextDelayMs = backoff(BACKOFF);
    for (let deadline: number | undefined; ; ) {
      try {
        return await unlessStopped(step, stopping);
      } catch (error) {
        stopping?.throwIfAborted();
        if (!isDatabaseAway(error)) throw error;
        deadline ??= performance.now() + config.START_DEADLINE_MS;
        const leftMs = deadline - performance.now();
        if (leftMs <= 0) throw awayFor(config.START_DEADLINE_MS, database, error);
        log.warn({ err: error }, `${database} does not answer; the start waits for it`);
        await unlessStopped(() => sleep(Math.min(nextDelayMs(), leftMs)), stopping);
      }
    }
  };
}

/**
 * Runs work until it ends or `stopping` is aborted. Aborted work continues in the background until the
 * process ends, because nothing can cancel a call to a server that does not answer.
 */
async function unlessStopped<T>(work: () => Promise<T>, stopping: AbortSignal | undefined): Promise<T> {
  if (!stopping) return work();
  stopping.throwIfAborted();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = () => reject(stopping.reason);
  stopping.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work(), stopped]);
  } finally {
    stopping.removeEventListener('abort', stop);
  }
}

function awayFor(deadlineMs: number, database: string, cause: Error): DatabaseAway {
  const message = `${database} did not answer within ${deadlineMs / 1000} s: ${wordsOf(cause)}`;
  return new DatabaseAway(message, { cause });
}

/**
 * Returns the text of an error. For a name with several addresses, Node gives no common message, only an
 * error for each address.
 */
function wordsOf(error: Error): string {
  const reasons = 'errors' in error && Array.isArray(error.errors) ? error.errors : [error];
  return reasons.map((reason) => (types.isNativeError(reason) ? reason.message : String(reason))).join(', ');
}

/** Returns the address of the database, or both addresses when migrations use another one. */
function addressesOf({
  DATABASE_URL,
  MIGRATION_DATABASE_URL = DATABASE_URL,
  MIGRATE_ON_START = true,
}: StartSettings): string {
  const urls = MIGRATE_ON_START ? [DATABASE_URL, MIGRATION_DATABASE_URL] : [DATABASE_URL];
  return [...new Set(urls.map(addressOf))].join(' or ');
}

function addressOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url);
  const host = hostname || (searchParams.get('host') ?? 'localhost');
  return `${host}:${port || '5432'}${pathname}`;
}
