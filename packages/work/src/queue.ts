import type { Queryable, Row } from '@plataforma/data';
import type { Environment } from '@plataforma/kernel';
import { type Backoff, delaySql } from './backoff.ts';

/** Rows of a table that are work: each is due at a time, and taken under a lease, so that a second replica passes it. */
export interface QueueOptions {
  table: string;
  columns: readonly string[];
  /** The column that says when a row is due; no work at null. */
  due: string;
  /** The column that counts the claims. */
  attempts: string;
  /** In SQL, which rows are work at all; as the partial index on `due` says it. */
  open?: string;
  /** False: the rows belong to none, and a claim for any takes them. */
  hasEnvironments?: boolean;
  /** A claimed row is not due again for its lease, or for longer where this says so by the number of its claims. */
  rest?: Backoff;
  /**
   * The columns of each claim's own token and end, for rows whose work is fenced. What else moves the due time, as a
   * notice does, cuts no lease short; who records the work sets both to null.
   */
  lease?: { token: string; until: string };
}

export interface Claim {
  environment: Environment;
  now: Date;
  leaseMs: number;
  limit: number;
  /** The ids of rows that are not taken: those at work here, whose lease has ended. */
  except: readonly string[];
}

/** Of one row, by whoever asks for it. */
export interface ClaimOfOne {
  id: string;
  now: Date;
  leaseMs: number;
}

/** A claim, by its row and the token that it has written there. */
export interface OfClaim {
  id: string;
  token: string;
}

export interface Queue<R extends Row> {
  /** SQL, with the time as $1: whether a row is due. */
  isDue(environment: Environment): string;
  /** SQL, with the time as $1: when the next row is due after it, or the lease of a due row ends; null where none does. */
  nextDue(environment: Environment): string;
  /** Takes what is due, at most `limit` rows, oldest first. */
  claim(db: Queryable, claim: Claim): Promise<R[]>;
  /** Takes one row before it is due; null: it is no work any more, or under a lease. Only of a queue with leases. */
  claimOne(db: Queryable, claim: ClaimOfOne): Promise<R | null>;
  /**
   * Ends a claim: the row is due at `dueAt`, or as a notice has written since the claim. False: another claim has
   * followed, and nothing is written. Only of a queue with leases.
   */
  release(db: Queryable, release: OfClaim & { dueAt: Date | null }): Promise<boolean>;
  /** Has rows looked at now, those that are found by `which`, in SQL; a claim on one of them lasts to its end. */
  hasten(db: Queryable, which: string, values: readonly unknown[]): Promise<void>;
  /** Has the lease last from `now` on once more. False: another claim has followed. Only of a queue with leases. */
  extend(db: Queryable, extension: OfClaim & { now: Date; leaseMs: number }): Promise<boolean>;
}

export function createQueue<R extends Row>(options: QueueOptions): Queue<R> {
  return { ...claimsOf(options), ...renewalsOf(options) };
}

function claimsOf<R extends Row>(options: QueueOptions): Omit<Queue<R>, 'release' | 'extend'> {
  const { table, columns, due, attempts, open = 'true', hasEnvironments = true, rest, lease } = options;
  const claimedFor = (leaseMs: string) => {
    const length = `${leaseMs} * interval '1 millisecond'`;
    const pause = rest ? `greatest(${length}, ${delaySql(rest, `${attempts} + 1`)})` : length;
    const until = (time: string) => `$2::timestamptz + ${time}`;
    const fence = lease ? `, ${lease.token} = gen_random_uuid(), ${lease.until} = ${until(length)}` : '';
    return `${attempts} = ${attempts} + 1, ${due} = ${until(pause)}${fence}`;
  };
  const within = (environment: string) =>
    hasEnvironments ? `environment = ${environment}` : `${environment} <> ''`;
  const isFree = (now: string) => (lease ? `(${lease.until} IS NULL OR ${lease.until} <= ${now})` : 'true');
  // As an array the rows are picked once: a join may pick them again for each row, and then takes more than the limit.
  const claim = `
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
  // With an order, so that the index is read from its oldest entry, whatever the statistics say.
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
    claim: (db, { environment, now, leaseMs, limit, except }) =>
      db.queryUnprepared<R>(claim, [environment, now, leaseMs, limit, except]),
    async claimOne(db, { id, now, leaseMs }) {
      if (!lease) throw notLeased(table);
      return (await db.query<R>(claimOne, [id, now, leaseMs]))[0] ?? null;
    },
    async hasten(db, which, values) {
      // Two that take the same rows one after the other, each in an order of its own, wait for each other.
      const inOrder = `SELECT id FROM ${table} WHERE ${open} AND ${which} ORDER BY id FOR NO KEY UPDATE`;
      await db.query(`UPDATE ${table} SET ${due} = now() WHERE id = ANY (ARRAY(${inOrder}))`, values);
    },
  };
}

function renewalsOf({ table, due, rest, lease }: QueueOptions): Pick<Queue<Row>, 'release' | 'extend'> {
  if (!lease) {
    const refuse = () => Promise.reject(notLeased(table));
    return { release: refuse, extend: refuse };
  }
  const { token, until } = lease;
  // A claim leaves the row due at the end of its lease, or later by its rest; any other time is that of a notice.
  const isNoticed = rest ? `(${due} < ${until}) IS NOT FALSE` : `${due} IS DISTINCT FROM ${until}`;
  const dueUnlessNoticed = (time: string) => `${due} = CASE WHEN ${isNoticed} THEN ${due} ELSE ${time} END`;
  const release = `
    UPDATE ${table} SET ${dueUnlessNoticed('$3::timestamptz')}, ${token} = NULL, ${until} = NULL
    WHERE id = $1 AND ${token} = $2 RETURNING true`;
  const end = `$3::timestamptz + $4 * interval '1 millisecond'`;
  const extend = `
    UPDATE ${table} SET ${dueUnlessNoticed(rest ? `greatest(${due}, ${end})` : end)}, ${until} = ${end}
    WHERE id = $1 AND ${token} = $2 RETURNING true`;
  return {
    release: async (db, claim) => (await db.query(release, [claim.id, claim.token, claim.dueAt])).length > 0,
    extend: async (db, claim) =>
      (await db.query(extend, [claim.id, claim.token, claim.now, claim.leaseMs])).length > 0,
  };
}

function notLeased(table: string): Error {
  return new Error(`the work of ${table} is not leased`);
}
