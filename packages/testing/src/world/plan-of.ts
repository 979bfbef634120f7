import type { Queryable, Row } from '@plataforma/data';

/** Returns PostgreSQL's query plans of all statements that `work` runs. Each statement is executed twice. */
export async function planOf(
  database: Queryable,
  work: (db: Queryable) => Promise<unknown>,
): Promise<string> {
  const plans: string[] = [];
  async function query<R extends Row>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    const explain = `EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off, BUFFERS off) ${text}`;
    const lines = await database.queryUnprepared<{ 'QUERY PLAN': string }>(explain, values);
    plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
    return database.queryUnprepared<R>(text, values);
  }
  await work({ query, queryUnprepared: query });
  return plans.join('\n\n');
}
