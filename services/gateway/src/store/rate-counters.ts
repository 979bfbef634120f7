import { createHash } from 'node:crypto';
import type { Database } from '@plataforma/data';
import { RateLimiterPostgres } from 'rate-limiter-flexible';

/** Counts that all replicas share; whom they are about is kept as a hash. */
export interface RateCounter {
  readonly limit: number;
  /** Counts one more. Rejects with a RateLimiterRes above the limit, with the database’s error where it fails. */
  take(whom: string): Promise<unknown>;
  /** Counts one more, above the limit too. */
  count(whom: string): Promise<void>;
  /** How many are left, at least one. Rejects as `take` does where none is. */
  left(whom: string): Promise<number>;
  giveBack(whom: string): Promise<void>;
  forget(whom: string): Promise<void>;
}

/** Whom we have seen before, for a while. */
export interface Acquaintances {
  has(whom: string): Promise<boolean>;
  add(whom: string): Promise<void>;
}

interface CounterOptions {
  name: string;
  limit: number;
  windowSeconds: number;
}

export function rateCounter(database: Database, { name, limit, windowSeconds }: CounterOptions): RateCounter {
  const limiter = limiterOn(database, {
    ...{ keyPrefix: name, points: limit, duration: windowSeconds },
    // A caller far above the limit waits out the window without a statement, also where log-ins that succeed are given
    // back, because no more than the limit are under way.
    inMemoryBlockOnConsumed: 2 * limit + 20,
  });
  return {
    limit,
    take: (whom) => limiter.consume(hashOf(whom)),
    count: async (whom) => void (await limiter.penalty(hashOf(whom))),
    left: async (whom) => {
      const state = await limiter.get(hashOf(whom));
      const left = limit - (state?.consumedPoints ?? 0);
      if (left <= 0) throw state;
      return left;
    },
    giveBack: async (whom) => void (await limiter.reward(hashOf(whom))),
    forget: async (whom) => void (await limiter.delete(hashOf(whom))),
  };
}

export function acquaintances(
  database: Database,
  { name, seconds }: { name: string; seconds: number },
): Acquaintances {
  const limiter = limiterOn(database, { keyPrefix: name, points: 1, duration: seconds });
  return {
    has: async (whom) => (await limiter.get(hashOf(whom))) !== null,
    add: async (whom) => void (await limiter.set(hashOf(whom), 1, seconds)),
  };
}

/** Deletes what has expired. */
export async function pruneRateCounters(database: Database, now: Date): Promise<void> {
  await database.query('DELETE FROM rate_counters WHERE expire < $1', [now.getTime()]);
}

interface Limit {
  keyPrefix: string;
  points: number;
  duration: number;
  inMemoryBlockOnConsumed?: number;
}

function limiterOn(database: Database, limit: Limit): RateLimiterPostgres {
  return new RateLimiterPostgres({
    ...limit,
    storeClient: {
      query: async ({ text, values }: { text: string; values: unknown[] }) => {
        const rows = await database.query(text, values);
        return { rows, rowCount: rows.length };
      },
    },
    storeType: 'client',
    tableName: 'rate_counters',
    // A migration makes it, and the application’s role could not.
    tableCreated: true,
    clearExpiredByTimeout: false,
  });
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
