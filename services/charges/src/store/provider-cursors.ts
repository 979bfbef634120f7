import { columnsOf, type Database, type Queryable, type Row } from '@plataforma/data';
import type { Clock, Environment } from '@plataforma/kernel';
import { type Claimed, createQueue, type Leased, LeaseOver } from '@plataforma/work';

const lists = ['payments', 'late_payments', 'infractions'] as const;
export type ProviderList = (typeof lists)[number];

/** The progress of reading a provider's list, as a claim returns it. */
export interface ProviderCursor extends Leased {
  id: string;
  environment: Environment;
  list: ProviderList;
  readUntil: Date;
  /**
   * The database's time of the claim. The reading ends at this time, because a clock that is ahead would move
   * the cursor past entries that the provider has not listed yet.
   */
  claimedAt: Date;
}

const CREATE = `
  INSERT INTO provider_cursors (environment, list, read_until, next_at)
  SELECT environment, list, now(), now()
  FROM unnest($1::text[]) AS environment CROSS JOIN unnest($2::text[]) AS list
  ON CONFLICT DO NOTHING`;

/**
 * Creates missing cursors. The service reads the lists of a new provider from the time at which it first
 * starts with this provider.
 */
export async function createCursors(db: Queryable, environments: readonly Environment[]): Promise<void> {
  await db.query(CREATE, [environments, lists]);
}

/**
 * The queue of provider lists that must be read. A `readUntil` in the future comes from a wrong clock, and
 * counts as now.
 */
export const dueCursors = createQueue<ProviderCursor & Row>({
  table: 'provider_cursors',
  columns: [
    ...columnsOf('id, environment, list, lease_token, lease_until, now() AS claimedAt'),
    'least(read_until, now()) AS "readUntil"',
  ],
  due: 'next_at',
  attempts: 'attempts',
  lease: { token: 'lease_token', until: 'lease_until' },
});

const ADVANCE =
  'UPDATE provider_cursors SET read_until = greatest(least(read_until, now()), $2) WHERE id = $1';

export interface Reading<Entry> {
  everyMs: number;
  /** The reading starts this many milliseconds before the cursor. */
  overlapMs: number;
  pages: (period: { from: Date; to: Date }) => AsyncIterable<readonly Entry[]>;
  /** Records a page. Returns false when some entries failed and the page must be read again. */
  record: (page: readonly Entry[]) => Promise<boolean>;
  whenRead?: () => void;
}

/**
 * Reads a list from its cursor, and extends the lease with each page. Moves the cursor only if all pages were
 * recorded. The next reading is due `everyMs` after the claim, even if this reading fails.
 */
export async function readList<Entry>(
  { database, clock, leaseMs }: { database: Database; clock: Clock; leaseMs: number },
  { item: { id, readUntil, claimedAt }, lease: { token } }: Claimed<ProviderCursor>,
  { everyMs, overlapMs, pages, record, whenRead }: Reading<Entry>,
): Promise<void> {
  let isComplete = false;
  try {
    let areAllRecorded = true;
    for await (const page of pages({ from: new Date(readUntil.getTime() - overlapMs), to: claimedAt })) {
      if (!(await dueCursors.extend(database, { id, token, now: clock(), leaseMs }))) throw new LeaseOver();
      areAllRecorded = (await record(page)) && areAllRecorded;
    }
    whenRead?.();
    isComplete = areAllRecorded;
  } finally {
    const dueAt = new Date(claimedAt.getTime() + everyMs);
    // If another process has claimed the list, nothing is saved, because the lease of this process has ended.
    await database.transaction(async (tx) => {
      const isCurrent = await dueCursors.release(tx, { id, token, dueAt });
      if (isCurrent && isComplete) await tx.query(ADVANCE, [id, claimedAt]);
    });
  }
}

/** Makes a list due now, because a callback reports a change that the list will show. */
export async function makeCursorDue(db: Queryable, list: ProviderList): Promise<void> {
  await dueCursors.makeDue(db, 'list = $1', [list]);
}
