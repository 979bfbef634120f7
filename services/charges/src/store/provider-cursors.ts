import type { Database, Queryable } from '@plataforma/chassis';
import type { Environment } from '@plataforma/kernel';

export type ProviderList = 'payments' | 'infractions' | 'late_payments';

const CREATE = `
  INSERT INTO provider_cursors (environment, list, read_until, next_at) VALUES ($1, $2, $3, $3)
  ON CONFLICT DO NOTHING`;

const CLAIM = `
  UPDATE provider_cursors SET next_at = $3::timestamptz + $4 * interval '1 millisecond'
  WHERE environment = $1 AND list = $2 AND next_at <= $3
  RETURNING read_until`;

/**
 * From when a provider's list is to be read, or null when another replica is at it or has just been. Nobody else
 * gets it for `everyMs`.
 */
export async function claimCursor(
  database: Database,
  cursor: { environment: Environment; list: ProviderList },
  { now, everyMs }: { now: Date; everyMs: number },
): Promise<Date | null> {
  await database.query(CREATE, [cursor.environment, cursor.list, now]);
  const values = [cursor.environment, cursor.list, now, everyMs];
  const [row] = await database.query<{ read_until: Date }>(CLAIM, values);
  return row?.read_until ?? null;
}

const ADVANCE = `
  UPDATE provider_cursors SET read_until = greatest(read_until, $3) WHERE environment = $1 AND list = $2`;

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
