import type { Database } from '@plataforma/data';
import { Refusal } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { cursorOf, type Progress, progressIn } from '../domain/progress.ts';
import { failPoint } from '../fail-points.ts';
import { leaseBookCheck, saveBookCheck } from '../store/book-checks.ts';
import { verifyBooks } from '../store/verify-books.ts';

export interface CheckBooks {
  database: Database;
  log: Log;
  /** The milliseconds between the starts of two complete checks. */
  roundEveryMs: number;
  /** The approximate number of entries that one step verifies. */
  entriesPerCheck: number;
}

/** The lease of a step. It must be longer than a step, which sums at least one whole wallet. */
const LEASE_MS = 300_000;
/**
 * The pause after a step is this multiple of the step's duration, so that the check uses at most a fifth of
 * one database connection.
 */
const PAUSE_PER_WORK = 4;
const MOST_LOGGED = 20;

/**
 * Verifies the next part of the ledger, and starts again after the last part. Only the replica with the lease
 * works. Results that arrive after the lease's end are dropped.
 */
export async function checkBooks({
  database,
  log,
  roundEveryMs,
  entriesPerCheck,
}: CheckBooks): Promise<void> {
  const lease = await leaseBookCheck(database, { leaseMs: LEASE_MS, roundEveryMs });
  if (!lease) return;
  const startedAt = performance.now();
  const { differences, next } = await verifyFrom(database, progressIn(lease.place), entriesPerCheck);
  failPoint('books.checked');
  const [shown, left] = [differences.slice(0, MOST_LOGGED), differences.length - MOST_LOGGED];
  for (const { merchantId, environment, what } of shown) {
    log.error({ merchantId, environment, what }, 'wallets differ from their entries');
  }
  if (left > 0) log.error({ left }, 'and more differences in the books');
  const pauseMs = (performance.now() - startedAt) * PAUSE_PER_WORK;
  await saveBookCheck(database, lease, { place: next && cursorOf(next), found: differences.length, pauseMs });
}

/**
 * Continues a verification. If the wallet's last entries were deleted since the previous step, verifies the
 * wallet from its start, which finds the missing entries.
 */
async function verifyFrom(database: Database, after: Progress | null, limit: number) {
  try {
    return await verifyBooks(database, { after, limit });
  } catch (error) {
    if (!(error instanceof Refusal) || after === null) throw error;
    return verifyBooks(database, { after: { ...after, position: 0 }, limit });
  }
}
