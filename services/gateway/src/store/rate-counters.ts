import { createHash } from 'node:crypto';
import type { Database } from '@plataforma/data';
import { networkOf, siteOf } from '@plataforma/kernel/addresses';
import { RateLimiterPostgres } from 'rate-limiter-flexible';

/** A counter that all replicas share. The name of the counted caller is stored as a hash. */
export interface RateCounter {
  readonly limit: number;
  /**
   * Adds one to a caller's count. Rejects with a RateLimiterRes above the limit, and with the database's
   * error if the database fails.
   */
  take(whom: string): Promise<unknown>;
  /** Adds one to a caller's count, even above the limit. */
  count(whom: string): Promise<void>;
  /**
   * Returns how far a caller's count is below the limit. Rejects with a RateLimiterRes if the limit is
   * reached, and with the database's error if the database fails.
   */
  left(whom: string): Promise<number>;
  /** Subtracts one from a caller's count. */
  giveBack(whom: string): Promise<void>;
  forget(whom: string): Promise<void>;
}

/** The callers that were recognised before. Each is remembered for a limited time. */
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
    // From this count on, a caller is refused without an SQL statement until its window ends. At most `limit`
    // log-ins run at a time, so returned counts cannot lower the count to `limit` again.
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

/** The limit of an IPv6 /48, as a multiple of the limit of one network in it. */
const NETWORKS_OF_SITE = 27;

/**
 * The names under which a caller is counted. `site` is the caller's IPv6 /48, because one caller may own all
 * networks of a /48.
 */
export type Counted = readonly [name: string, site?: string];

export function networkNames(address: string, prefix = ''): Counted {
  const [network, site] = [networkOf(address), siteOf(address)];
  return site === network ? [prefix + network] : [prefix + network, prefix + site];
}

/** A counter of callers by network, with a higher limit for each IPv6 /48. */
export type NetworkCounter = ReturnType<typeof networkCounter>;

export function networkCounter(database: Database, options: CounterOptions) {
  const networks = rateCounter(database, options);
  const limit = options.limit * NETWORKS_OF_SITE;
  const sites = rateCounter(database, { ...options, name: `${options.name} site`, limit });
  return {
    limit: options.limit,
    /** A request above the limit of its network does not count for the site. */
    async take([name, site]: Counted): Promise<void> {
      await networks.take(name);
      if (site !== undefined) await sites.take(site);
    },
    async count([name, site]: Counted): Promise<void> {
      await Promise.all([networks.count(name), site !== undefined && sites.count(site)]);
    },
    async left([name, site]: Counted): Promise<number> {
      if (site === undefined) return networks.left(name);
      return Math.min(...(await Promise.all([networks.left(name), sites.left(site)])));
    },
    async giveBack([name, site]: Counted): Promise<void> {
      await Promise.all([networks.giveBack(name), site !== undefined && sites.giveBack(site)]);
    },
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
    // A migration creates the table, because the application's database role may not create tables.
    tableCreated: true,
    clearExpiredByTimeout: false,
  });
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
