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
  /** From the beginning of a round to the beginning of the next. */
  roundEveryMs: number;
  /** About how many entries a turn looks at. */
  entriesPerCheck: number;
}

/** Longer than a turn takes, whose part that can't be divided is adding up one wallet. */
const LEASE_MS = 300_000;
/** A fifth of the time the check is at work: at most so much of one connection. */
const PAUSE_PER_WORK = 4;
const MOST_LOGGED = 20;

/**
 * Looks at the next part of the books, and begins anew when all of them were looked at. One replica at a time does: a turn
 * is claimed, and one that ends too late counts for nothing.
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
    log.error({ merchantId, environment, what }, 'the books do not say what their entries say');
  }
  if (left > 0) log.error({ left }, 'and more differences in the books');
  const pauseMs = (performance.now() - startedAt) * PAUSE_PER_WORK;
  await saveBookCheck(database, lease, { place: next && cursorOf(next), found: differences.length, pauseMs });
}

/** Verifies a wallet anew when entries were cut off since the last turn, which finds the missing ones. */
async function verifyFrom(database: Database, after: Progress | null, limit: number) {
  try {
    return await verifyBooks(database, { after, limit });
  } catch (error) {
    if (!(error instanceof Refusal) || after === null) throw error;
    return verifyBooks(database, { after: { ...after, position: 0 }, limit });
  }
}
