import type { Database, Queryable, Row } from '@plataforma/chassis';
import type { Environment } from '@plataforma/kernel';

export type ProviderList = 'payments' | 'infractions' | 'late_payments';

const CREATE = `
  INSERT INTO provider_cursors (environment, list, read_until, next_at) VALUES ($1, $2, now(), now())
  ON CONFLICT DO NOTHING`;

const CLAIM = `
  UPDATE provider_cursors SET next_at = now() + $3 * interval '1 millisecond'
  WHERE environment = $1 AND list = $2 AND next_at <= now()
  RETURNING least(read_until, now()) AS "readUntil", now() AS now`;

interface Turn {
  /** From when on the list is to be read. */
  readUntil: Date;
  /** The database's time, until when it is read: another clock might be ahead, and leave a gap. */
  now: Date;
}

/** Null when another replica is at the list or has just been. Nobody else gets it for `everyMs`. */
export async function claimCursor(
  database: Database,
  cursor: { environment: Environment; list: ProviderList },
  everyMs: number,
): Promise<Turn | null> {
  const { environment, list } = cursor;
  await database.query(CREATE, [environment, list]);
  const [turn] = await database.query<Turn & Row>(CLAIM, [environment, list, everyMs]);
  return turn ?? null;
}

/** One that stands in the future was put there by a wrong clock. */
const ADVANCE = `
  UPDATE provider_cursors SET read_until = greatest(least(read_until, now()), $3)
  WHERE environment = $1 AND list = $2`;

export async function advanceCursor(
  db: Queryable,
  cursor: { environment: Environment; list: ProviderList },
  readUntil: Date,
): Promise<void> {
  await db.query(ADVANCE, [cursor.environment, cursor.list, readUntil]);
}

const HASTEN = 'UPDATE provider_cursors SET next_at = now() WHERE list = $1';

/** The provider has news that this list will tell: it is read at once. */
export async function hastenCursor(db: Queryable, list: ProviderList): Promise<void> {
  await db.query(HASTEN, [list]);
}
