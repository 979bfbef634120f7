import type { Queryable, Row } from '@plataforma/data';
import type { Environment } from '@plataforma/kernel';
import { type Backoff, delaySql } from './backoff.ts';

/** A table of work: each row is due at a time, and claimed with a lease, so that other replicas skip it. */
export interface QueueOptions {
  table: string;
  columns: readonly string[];
  /** The column of the due time; a row with null is no work. */
  due: string;
  /** The column that counts the claims. */
  attempts: string;
  /** The SQL condition of rows that are work; it equals that of the partial index on `due`. */
  open?: string;
  /** False when the rows have no environment; a claim for any environment then takes them. */
  hasEnvironments?: boolean;
  /** A claimed row is due again when its lease ends, or later by this backoff over its claims. */
  backoff?: Backoff;
  /**
   * The columns of the token and end of a claim, for rows whose work is fenced. A notice that changes the due
   * time does not end the lease; the transaction that records the work sets both to null.
   */
  lease?: { token: string; until: string };
}

export interface LeaseRequest {
  environment: Environment;
  now: Date;
  leaseMs: number;
  limit: number;
  /** The ids of rows to skip, which are still at work here although their lease has ended. */
  except: readonly string[];
}

/** Asks for the lease of one row before it is due. */
export interface LeaseRequestOfOne {
  id: string;
  now: Date;
  leaseMs: number;
}

/** A lease, by its row and the token that was written to the row. */
export interface LeaseRef {
  id: string;
  token: string;
}

export interface Queue<R extends Row> {
  /** Returns SQL, with the time as $1, that is true when a row is due. */
  isDue(environment: Environment): string;
  /** Returns SQL, with the time as $1: when a row is due next or a due row's lease ends; null for never. */
  nextDue(environment: Environment): string;
  /** Claims due rows, at most `limit`, oldest first. */
  claimDue(db: Queryable, request: LeaseRequest): Promise<R[]>;
  /** Claims one row before it is due; null when it is no work or leased. Only for a queue with leases. */
  claimOne(db: Queryable, request: LeaseRequestOfOne): Promise<R | null>;
  /**
   * Ends a claim: the row is due at `dueAt`, or at the time that a notice has written since the claim.
   * Returns false and writes nothing when a later claim has the row. Only for a queue with leases.
   */
  release(db: Queryable, release: LeaseRef & { dueAt: Date | null }): Promise<boolean>;
  /**
   * Makes the rows that match the SQL condition `which` due now. A claim of such a row lasts until its end.
   */
  makeDue(db: Queryable, which: string, values: readonly unknown[]): Promise<void>;
  /** Extends the lease from `now` on; false when a later claim has the row. Only for a queue with leases. */
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
  // The array picks the rows once; a join may pick them again for each row and claim more than the limit.
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
  // The order makes PostgreSQL read the index from its oldest entry, regardless of the statistics.
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
      // Locks in one order, because two statements that lock the same rows in different orders deadlock.
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
  // A claim leaves the row due at its lease's end, or later by its backoff; a notice wrote any other time.
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
