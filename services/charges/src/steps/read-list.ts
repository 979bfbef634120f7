import type { Database } from '@plataforma/data';
import type { Clock } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { type Claimed, LeaseOver } from '@plataforma/work';
import type { PixProviders } from '../pix/providers.ts';
import { dueCursors, endReading, type ProviderCursor } from '../store/provider-cursors.ts';

export interface ReadList {
  database: Database;
  pix: PixProviders;
  clock: Clock;
  log: Log;
  leaseMs: number;
  /** How often a provider's list is read. */
  readListsEveryMs: number;
}

export interface Reading<Entry> {
  everyMs: number;
  /** How far behind the cursor the list is read once more. */
  overlapMs: number;
  pages: (period: { from: Date; to: Date }) => AsyncIterable<readonly Entry[]>;
  /** False: not all of the page is recorded, and it must be read again. */
  takeUp: (page: readonly Entry[]) => Promise<boolean>;
  whenRead?: () => void;
}

/**
 * Reads a list from its cursor on. Each page extends the lease, so that a list of many pages keeps its reader; the cursor
 * moves on only when all of it is recorded. The list is due again whatever came of it.
 */
export async function readList<Entry>(
  { database, clock, leaseMs }: ReadList,
  claimed: Claimed<ProviderCursor>,
  { everyMs, overlapMs, pages, takeUp, whenRead }: Reading<Entry>,
): Promise<void> {
  const { id, readUntil, claimedAt } = claimed.item;
  const { token } = claimed.lease;
  let isComplete = true;
  try {
    for await (const page of pages({ from: new Date(readUntil.getTime() - overlapMs), to: claimedAt })) {
      if (!(await dueCursors.extend(database, { id, token, now: clock(), leaseMs }))) throw new LeaseOver();
      isComplete = (await takeUp(page)) && isComplete;
    }
    whenRead?.();
  } catch (error) {
    isComplete = false;
    throw error;
  } finally {
    const nextAt = new Date(claimedAt.getTime() + everyMs);
    await endReading(database, claimed, { nextAt, readUntil: isComplete ? claimedAt : null });
  }
}
