import { setTimeout as sleep } from 'node:timers/promises';
import { types } from 'node:util';
import { isDatabaseAway } from '@plataforma/data';
import { backoff } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';

/** Repeats a step of a start while the database is away, and throws any other failure at once. */
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
  /** Aborted to end the wait and the running step, which then throws its reason. */
  stopping?: AbortSignal | undefined;
}

/** The database was away for all of START_DEADLINE_MS; `message` is the only line that an operator needs. */
export class DatabaseAway extends Error {}

const BACKOFF = { firstMs: 100, longestMs: 5_000 };

/**
 * Creates a retry for the steps of a start, because a database that starts, or serves a crowd after a
 * failure, refuses or is slow. A step must be repeatable, because the answer to a completed step may be lost.
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
 * Runs work until `stopping` is aborted. An abandoned step continues until the process ends, because a silent
 * server does not end it any sooner.
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

/** Returns the text of an error. For a name with several addresses, Node has only an error for each. */
function wordsOf(error: Error): string {
  const reasons = 'errors' in error && Array.isArray(error.errors) ? error.errors : [error];
  return reasons.map((reason) => (types.isNativeError(reason) ? reason.message : String(reason))).join(', ');
}

/** Returns the address of the database, or both where the owner of the tables migrates by another one. */
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
