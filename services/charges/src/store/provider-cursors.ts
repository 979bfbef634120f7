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
  /** The database's time, at which the reading ends. Another clock might be ahead and leave a gap. */
  claimedAt: Date;
}

const CREATE = `
  INSERT INTO provider_cursors (environment, list, read_until, next_at)
  SELECT environment, list, now(), now()
  FROM unnest($1::text[]) AS environment CROSS JOIN unnest($2::text[]) AS list
  ON CONFLICT DO NOTHING`;

/** Creates missing cursors, so that a provider's lists are read from the first start with that provider. */
export async function createCursors(db: Queryable, environments: readonly Environment[]): Promise<void> {
  await db.query(CREATE, [environments, lists]);
}

/** Due lists. Only a wrong clock can have set a position in the future. */
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
  /** The reading starts this long before the cursor. */
  overlapMs: number;
  pages: (period: { from: Date; to: Date }) => AsyncIterable<readonly Entry[]>;
  /** Records a page. Returns false when some entries failed and the page must be read again. */
  record: (page: readonly Entry[]) => Promise<boolean>;
  whenRead?: () => void;
}

/**
 * Reads a list from its cursor. Each page extends the lease. The cursor advances only when all pages are
 * recorded, and the list becomes due again in any case.
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
    // A late reader, whose lease another process has, changes nothing.
    await database.transaction(async (tx) => {
      const isCurrent = await dueCursors.release(tx, { id, token, dueAt });
      if (isCurrent && isComplete) await tx.query(ADVANCE, [id, claimedAt]);
    });
  }
}

/** Makes a list due now, because a notice reports a change. */
export async function makeCursorDue(db: Queryable, list: ProviderList): Promise<void> {
  await dueCursors.makeDue(db, 'list = $1', [list]);
}
