import type { Queryable, Row } from '@plataforma/chassis';
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
  /** A claimed row is not due again for its lease, or for longer where this says so by the number of its claims. */
  rest?: Backoff;
}

export interface Claim {
  environment: Environment;
  now: Date;
  leaseMs: number;
  limit: number;
  /** The ids of rows that are not taken: those at work here, whose lease has ended. */
  except: readonly string[];
}

export interface Queue<R extends Row> {
  /** SQL, with the time as $1: whether a row is due. */
  isDue(environment: Environment): string;
  /** Takes what is due, at most `limit` rows, oldest first. */
  claim(db: Queryable, claim: Claim): Promise<R[]>;
}

const LEASE = `$3 * interval '1 millisecond'`;

export function createQueue<R extends Row>(options: QueueOptions): Queue<R> {
  const { table, columns, due, attempts, open = 'true', rest } = options;
  const pause = rest ? `greatest(${LEASE}, ${delaySql(rest, `${attempts} + 1`)})` : LEASE;
  const sql = `
    UPDATE ${table} SET ${attempts} = ${attempts} + 1, ${due} = $2::timestamptz + ${pause}
    WHERE id IN (
      SELECT id FROM ${table}
      WHERE environment = $1 AND ${open} AND ${due} <= $2 AND id <> ALL ($5::uuid[])
      ORDER BY ${due} LIMIT $4
      FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING ${columns.join(', ')}`;
  // With an order, so that the index is read from its oldest entry, whatever the statistics say.
  const isDue = (environment: Environment) => `
    (SELECT true FROM ${table} WHERE environment = '${environment}' AND ${open} AND ${due} <= $1::timestamptz
     ORDER BY ${due} LIMIT 1) IS TRUE`;
  return {
    isDue,
    claim: (db, { environment, now, leaseMs, limit, except }) =>
      db.queryUnprepared<R>(sql, [environment, now, leaseMs, limit, except]),
  };
}
