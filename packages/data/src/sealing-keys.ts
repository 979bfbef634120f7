import type { Queryable } from './database.ts';

const RECORD = `
  INSERT INTO sealing_keys (id) SELECT $1 WHERE NOT EXISTS (SELECT FROM sealing_keys WHERE id = $1)
  ON CONFLICT (id) DO NOTHING`;

/** Records a sealing key after all earlier keys. A key that is already recorded keeps its position. */
export async function recordSealingKey(db: Queryable, id: string): Promise<void> {
  await db.query(RECORD, [id]);
}

const OLDER = `
  SELECT other.id FROM unnest($2::text[]) AS other (id) LEFT JOIN sealing_keys known USING (id)
  WHERE coalesce(known.position, 0) < (SELECT position FROM sealing_keys WHERE id = $1)`;

/** Returns the keys among `others` that were recorded before `first`, or that were never recorded. */
export async function olderKeys(db: Queryable, [first, ...others]: readonly string[]): Promise<string[]> {
  return (await db.query<{ id: string }>(OLDER, [first, others])).map(({ id }) => id);
}
