import type { Queryable, Row } from '@plataforma/data';
import type { Environment } from '@plataforma/kernel';
import { type Backoff, delaySql } from './backoff.ts';

/**
 * The settings of a table of work. Each row has a due time. A process claims a row with a lease, so that
 * other replicas skip the row.
 */
export interface QueueOptions {
  table: string;
  columns: readonly string[];
  /** The column of the due time. A row with null in this column is never due. */
  due: string;
  /** The column that counts the claims. */
  attempts: string;
  /**
   * The SQL condition for rows that still need work. It must equal the condition of the partial index on
   * `due`.
   */
  open?: string;
  /** False when the rows have no environment. A claim for any environment then takes the rows. */
  hasEnvironments?: boolean;
  /**
   * The backoff, which grows with the number of claims. A claimed row is due again when its lease ends, or
   * later if the backoff is longer.
   */
  backoff?: Backoff;
  /**
   * The columns of a claim's token and lease end, for work that must check the lease. A callback may change
   * the due time, but not these columns. The transaction that records the work clears both.
   */
  lease?: { token: string; until: string };
}

export interface LeaseRequest {
  environment: Environment;
  now: Date;
  leaseMs: number;
  limit: number;
  /**
   * The ids of rows that the claim skips, because this process still works on them although their leases have
   * ended.
   */
  except: readonly string[];
}

/** A request for the lease of one row, which need not be due. */
export interface LeaseRequestOfOne {
  id: string;
  now: Date;
  leaseMs: number;
}

export interface LeaseRef {
  id: string;
  token: string;
}

export interface Queue<R extends Row> {
  /** Returns SQL that is true when a row is due. $1 in the SQL is the time. */
  isDue(environment: Environment): string;
  /**
   * Returns SQL for the next time at which a row becomes due or the lease of a due row ends. `$1` is the
   * current time. The value is NULL if there is no such row.
   */
  nextDue(environment: Environment): string;
  /** Claims at most `limit` due rows, the longest due first. */
  claimDue(db: Queryable, request: LeaseRequest): Promise<R[]>;
  /**
   * Claims one row, even if it is not due. Returns null when the row needs no work or another claim's lease
   * has not ended. Rejects for a queue without the option `lease`.
   */
  claimOne(db: Queryable, request: LeaseRequestOfOne): Promise<R | null>;
  /**
   * Ends a claim. The row is then due at `dueAt`, or at the due time that was set since the claim. Returns
   * false and changes nothing when a later claim has the row. Only for a queue with `lease`.
   */
  release(db: Queryable, release: LeaseRef & { dueAt: Date | null }): Promise<boolean>;
  /**
   * Makes the rows that match the SQL condition `which` due now. A row that is claimed stays claimed until
   * its lease ends.
   */
  makeDue(db: Queryable, which: string, values: readonly unknown[]): Promise<void>;
  /**
   * Extends the lease to `leaseMs` after `now`. Returns false when a later claim has the row. Rejects for a
   * queue without the option `lease`.
   */
  extend(db: Queryable, extension: LeaseRef & { now: Date; leaseMs: number }): Promise<boolean>;
}

export function createQueue<R extends Row>(options: QueueOptions): Queue<R> {
  return { ...claimsOf(options), ...renewalsOf(options) };
}

function claimsOf<R extends Row>(options: QueueOptions): Omit<Queue<R>, 'release' | 'extend'> {
  const { table, columns, due, attempts, open = 'true', hasEnvironments = true, backoff, lease } = options;
  const claimedFor = (leaseMs: string) => {
    const length = `${leaseMs} * interval '1 millisecond'`;
    const pause = backoff ? `greatest(${length}, ${delaySql(backoff, `${attempts} + 1`)})` : length;
    const until = (time: string) => `$2::timestamptz + ${time}`;
    const fence = lease ? `, ${lease.token} = gen_random_uuid(), ${lease.until} = ${until(length)}` : '';
    return `${attempts} = ${attempts} + 1, ${due} = ${until(pause)}${fence}`;
  };
  const within = (environment: string) =>
    hasEnvironments ? `environment = ${environment}` : `${environment} <> ''`;
  const isFree = (now: string) => (lease ? `(${lease.until} IS NULL OR ${lease.until} <= ${now})` : 'true');
  // The ids are an array, which PostgreSQL evaluates once. It may evaluate a join once for each row, and the
  // statement would then claim more rows than the limit.
  const claimDue = `
    UPDATE ${table} SET ${claimedFor('$3')}
    WHERE id = ANY (ARRAY (
      SELECT id FROM ${table}
      WHERE ${within('$1::text')} AND ${open} AND ${due} <= $2 AND ${isFree('$2')} AND id <> ALL ($5::uuid[])
      ORDER BY ${due} LIMIT $4
      FOR NO KEY UPDATE SKIP LOCKED)) AND ${open}
    RETURNING ${columns.join(', ')}`;
  const claimOne = `
    UPDATE ${table} SET ${claimedFor('$3')}
    WHERE id = $1 AND ${open} AND ${isFree('$2')}
    RETURNING ${columns.join(', ')}`;
  // The ORDER BY makes PostgreSQL read the index from its oldest entry, even if the statistics favour another
  // plan.
  const isDue = (environment: Environment) => `
    (SELECT true FROM ${table}
     WHERE ${within(`'${environment}'`)} AND ${open} AND ${due} <= $1::timestamptz
       AND ${isFree('$1::timestamptz')}
     ORDER BY ${due} LIMIT 1) IS TRUE`;
  const firstOf = (environment: Environment, column: string, which: string) => `
    (SELECT ${column} FROM ${table}
     WHERE ${within(`'${environment}'`)} AND ${open} AND ${which}
     ORDER BY ${due} LIMIT 1)`;
  const nextDue = (environment: Environment) => {
    const next = firstOf(environment, due, `${due} > $1::timestamptz`);
    if (!lease) return next;
    const leased = `${due} <= $1::timestamptz AND ${lease.until} > $1::timestamptz`;
    return `least(${next}, ${firstOf(environment, lease.until, leased)})`;
  };
  return {
    isDue,
    nextDue,
    claimDue: (db, { environment, now, leaseMs, limit, except }) =>
      db.queryUnprepared<R>(claimDue, [environment, now, leaseMs, limit, except]),
    async claimOne(db, { id, now, leaseMs }) {
      if (!lease) throw notLeased(table);
      return (await db.query<R>(claimOne, [id, now, leaseMs]))[0] ?? null;
    },
    async makeDue(db, which, values) {
      // The statement locks rows in the order of their ids. Two statements that lock the same rows in
      // different orders would deadlock.
      const inOrder = `SELECT id FROM ${table} WHERE ${open} AND ${which} ORDER BY id FOR NO KEY UPDATE`;
      await db.query(`UPDATE ${table} SET ${due} = now() WHERE id = ANY (ARRAY(${inOrder}))`, values);
    },
  };
}

function renewalsOf({ table, due, backoff, lease }: QueueOptions): Pick<Queue<Row>, 'release' | 'extend'> {
  if (!lease) {
    const refuse = () => Promise.reject(notLeased(table));
    return { release: refuse, extend: refuse };
  }
  const { token, until } = lease;
  // A claim sets the due time to the end of its lease, or to a later time if the backoff is longer. Any other
  // due time was set after the claim, and must stay.
  const isNoticed = backoff ? `(${due} < ${until}) IS NOT FALSE` : `${due} IS DISTINCT FROM ${until}`;
  const dueUnlessNoticed = (time: string) => `${due} = CASE WHEN ${isNoticed} THEN ${due} ELSE ${time} END`;
  const release = `
    UPDATE ${table} SET ${dueUnlessNoticed('$3::timestamptz')}, ${token} = NULL, ${until} = NULL
    WHERE id = $1 AND ${token} = $2 RETURNING true`;
  const end = `$3::timestamptz + $4 * interval '1 millisecond'`;
  const extend = `
    UPDATE ${table} SET ${dueUnlessNoticed(backoff ? `greatest(${due}, ${end})` : end)}, ${until} = ${end}
    WHERE id = $1 AND ${token} = $2 RETURNING true`;
  return {
    release: async (db, lease) => (await db.query(release, [lease.id, lease.token, lease.dueAt])).length > 0,
    extend: async (db, lease) =>
      (await db.query(extend, [lease.id, lease.token, lease.now, lease.leaseMs])).length > 0,
  };
}

function notLeased(table: string): Error {
  return new Error(`the work of ${table} is not leased`);
}
