import type { Database, Queryable } from '@plataforma/data';
import type { Environment } from '@plataforma/kernel';
import { type Claimed, createQueue, type Leased } from '@plataforma/work';

const lists = ['payments', 'late_payments', 'infractions'] as const;
export type ProviderList = (typeof lists)[number];

/** How far a provider's list has been read, as a claim has left it. */
export interface ProviderCursor extends Leased {
  id: string;
  environment: Environment;
  list: ProviderList;
  readUntil: Date;
  /** The database's time, until when it is read: another clock might be ahead, and leave a gap. */
  claimedAt: Date;
}

interface CursorRow {
  id: string;
  environment: Environment;
  list: ProviderList;
  read_until: Date;
  now: Date;
  lease_token: string | null;
  lease_until: Date | null;
  [column: string]: unknown;
}

const CREATE = `
  INSERT INTO provider_cursors (environment, list, read_until, next_at)
  SELECT environment, list, now(), now()
  FROM unnest($1::text[]) AS environment CROSS JOIN unnest($2::text[]) AS list
  ON CONFLICT DO NOTHING`;

/** A provider's lists are read from the first start with it on. */
export async function createCursors(db: Queryable, environments: readonly Environment[]): Promise<void> {
  await db.query(CREATE, [environments, lists]);
}

/** Lists to be read. A position in the future was put there by a wrong clock. */
export const dueCursors = createQueue<CursorRow>({
  table: 'provider_cursors',
  columns: [
    ...['id', 'environment', 'list', 'lease_token', 'lease_until'],
    ...['least(read_until, now()) AS read_until', 'now() AS now'],
  ],
  due: 'next_at',
  attempts: 'attempts',
  lease: { token: 'lease_token', until: 'lease_until' },
});

const ADVANCE =
  'UPDATE provider_cursors SET read_until = greatest(least(read_until, now()), $2) WHERE id = $1';

interface Reading {
  /** When the list is read next, unless a notice has asked for it since. */
  nextAt: Date;
  /** Null: not all of it could be recorded, and it is read from the same position again. */
  readUntil: Date | null;
}

/** Ends the claim of a reader. One that is late, as another claim has followed, moves nothing. */
export function endReading(
  database: Database,
  { item: { id }, lease: { token } }: Claimed<ProviderCursor>,
  { nextAt, readUntil }: Reading,
): Promise<void> {
  return database.transaction(async (tx) => {
    const isCurrent = await dueCursors.release(tx, { id, token, dueAt: nextAt });
    if (isCurrent && readUntil) await tx.query(ADVANCE, [id, readUntil]);
  });
}

/** The provider has news that this list will tell: it is read at once. */
export async function hastenCursor(db: Queryable, list: ProviderList): Promise<void> {
  await dueCursors.hasten(db, 'list = $1', [list]);
}

export function cursorOf(row: CursorRow): ProviderCursor {
  return {
    id: row.id,
    environment: row.environment,
    list: row.list,
    readUntil: row.read_until,
    claimedAt: row.now,
    leaseToken: row.lease_token,
    leaseUntil: row.lease_until,
  };
}
