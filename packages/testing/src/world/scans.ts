import type { Queryable, Row } from '@plataforma/data';
import { z } from 'zod';

interface Node {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number | undefined;
  'Heap Fetches'?: number | undefined;
  'Relation Name'?: string | undefined;
  Plans?: Node[] | undefined;
}

const node: z.ZodType<Node> = z.object({
  'Node Type': z.string(),
  'Actual Rows': z.number(),
  'Actual Loops': z.number(),
  'Rows Removed by Filter': z.number().optional(),
  'Heap Fetches': z.number().optional(),
  'Relation Name': z.string().optional(),
  get Plans() {
    return z.array(node).optional();
  },
});
const explained = z.tuple([z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: node })]) })]);

/** A node of a query plan that reads a table or an index of the table. */
export interface Scan {
  /** The type of the node in PostgreSQL's plan, such as `Index Only Scan`. */
  kind: string;
  table: string;
  /** The number of rows or index entries that the node read, including those that a filter removed. */
  read: number;
  /** The number of table rows that an index-only scan read in addition to the index. */
  heapFetches: number;
}

/**
 * Returns a database that records the scans in the query plan of each statement. Each statement is executed
 * twice.
 */
export function watchScans(database: Queryable): { db: Queryable; scans: Scan[] } {
  const scans: Scan[] = [];
  async function queryUnprepared<R extends Row>(text: string, values: readonly unknown[]): Promise<R[]> {
    const plans = await database.queryUnprepared(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
    scans.push(...scansIn(explained.parse(plans)[0]['QUERY PLAN'][0].Plan));
    return database.queryUnprepared<R>(text, values);
  }
  return { db: { queryUnprepared, query: (text, values = []) => queryUnprepared(text, values) }, scans };
}

function scansIn(plan: Node): Scan[] {
  const inner = (plan.Plans ?? []).flatMap(scansIn);
  const table = plan['Relation Name'];
  if (table === undefined) return inner;
  const rows = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0);
  const own = { kind: plan['Node Type'], table, read: rows * plan['Actual Loops'] };
  return [{ ...own, heapFetches: plan['Heap Fetches'] ?? 0 }, ...inner];
}
