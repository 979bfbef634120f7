import type { Queryable } from '@plataforma/data';

const BARRED = `
  SELECT id FROM merchants WHERE id = ANY ($1::uuid[]) AND snapshot ->> 'status' IN ('SUSPENDED', 'REJECTED')`;

/** Which of these merchants are paid nothing, as far as is known here. */
export async function barredOf(db: Queryable, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.query<{ id: string }>(BARRED, [[...new Set(ids)]]);
  return new Set(rows.map(({ id }) => id));
}
