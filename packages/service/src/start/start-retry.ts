import { setTimeout as sleep } from 'node:timers/promises';
import { types } from 'node:util';
import { isDatabaseAway } from '@plataforma/data';
import { backoff } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';

/** Repeats a step of a start for as long as the database is away; every other failure of it is thrown at once. */
export type StartRetry = <T>(step: () => Promise<T>) => Promise<T>;

interface StartSettings {
  DATABASE_URL: string;
  MIGRATION_DATABASE_URL?: string | undefined;
  /** Absent for a process that only migrates. */
  MIGRATE_ON_START?: boolean;
  START_DEADLINE_MS: number;
}

interface StartRetryOptions {
  config: StartSettings;
  log: Log;
  /** Ends the wait, and the step that is under way, by throwing its reason. */
  stopping?: AbortSignal | undefined;
}

/** The database was away for the whole of START_DEADLINE_MS; `message` is the one line an operator needs. */
export class DatabaseAway extends Error {}

const BACKOFF = { firstMs: 100, longestMs: 5_000 };

/**
 * Processes that start together with their database, or in the crowd after a failure, find it refusing or late. A step
 * must bear to be repeated: the answer to one that was done may have been lost.
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

/** An abandoned step continues until the process ends: a silent server does not let go of it any sooner. */
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

/** For a name with several addresses Node gives an error for each, and no message for all. */
function wordsOf(error: Error): string {
  const reasons = 'errors' in error && Array.isArray(error.errors) ? error.errors : [error];
  return reasons.map((reason) => (types.isNativeError(reason) ? reason.message : String(reason))).join(', ');
}

/** Both, where the owner of the tables migrates by another way than the service works. */
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
