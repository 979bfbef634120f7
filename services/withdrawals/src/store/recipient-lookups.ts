import type { Queryable, Transaction } from '@plataforma/data';
import { newId, type Tenant } from '@plataforma/kernel';
import { type CountedLookup, DAY_SECONDS, UNKNOWN_KEY } from '../domain/recipient-limit.ts';

/** The number 12 distinguishes these locks from other advisory locks of this database. */
const LOCK = 'SELECT pg_advisory_xact_lock(12, hashtext($1))';
const LIST = `
  SELECT cost, created_at AS "createdAt" FROM recipient_lookups
  WHERE merchant_id = $1 AND environment = $2 AND created_at > $3 ORDER BY created_at`;

/**
 * Takes a lock for the merchant and lists its counted lookups of the last day, oldest first. The merchant's
 * other lookups wait until `tx` ends, so that two requests can't both use the last lookup.
 */
export async function lockLookups(
  tx: Transaction,
  { merchantId, environment }: Tenant,
  now: Date,
): Promise<CountedLookup[]> {
  await tx.query(LOCK, [`${merchantId} ${environment}`]);
  return tx.query<CountedLookup>(LIST, [merchantId, environment, dayBefore(now)]);
}

const INSERT = `
  INSERT INTO recipient_lookups (id, merchant_id, environment, key_hash, cost, created_at)
  VALUES ($1, $2, $3, recipient_key_hash($2, $4), $5, $6)`;

/** Stores a lookup with the cost of an unknown key. `setLookupCost` may reduce the cost. Returns the id. */
export async function insertLookup(
  tx: Transaction,
  { merchantId, environment }: Tenant,
  pixKey: string,
  now: Date,
): Promise<string> {
  const id = newId();
  await tx.query(INSERT, [id, merchantId, environment, pixKey, UNKNOWN_KEY, now]);
  return id;
}

export async function setLookupCost(db: Queryable, id: string, cost: number): Promise<void> {
  await db.query('UPDATE recipient_lookups SET cost = $2 WHERE id = $1', [id, cost]);
}

/** Skips rows that another transaction deletes, so that two lookups never wait for each other here. */
const PRUNE = `
  DELETE FROM recipient_lookups WHERE id IN (
    SELECT id FROM recipient_lookups WHERE created_at <= $1 ORDER BY created_at LIMIT 1000
    FOR UPDATE SKIP LOCKED)`;

/** For all merchants, deletes the oldest lookups that no longer count towards a limit. */
export async function pruneLookups(tx: Transaction, now: Date): Promise<void> {
  await tx.query(PRUNE, [dayBefore(now)]);
}

function dayBefore(now: Date): Date {
  return new Date(now.getTime() - DAY_SECONDS * 1_000);
}
