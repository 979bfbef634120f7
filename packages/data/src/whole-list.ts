import { type ComposedQuery, composeSql } from './composed.ts';
import type { Page, Slice } from './paging.ts';

/**
 * Merges queries of a table into one list of ids and times of creation, newest first. Each query is read in
 * the order of its own index, so a page reads only the rows that it shows.
 */
export function mergedByNewest(table: string, scans: readonly ComposedQuery[]): ComposedQuery {
  const inOrder = scans.map((scan) =>
    scan
      .orderBy([
        { column: 'created_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .select('id', 'created_at'),
  );
  const all = inOrder.length > 0 ? inOrder : [composeSql(table).whereRaw('false').select('id', 'created_at')];
  return composeSql(composeSql.unionAll(all, true).as(table));
}

/**
 * Yields the number of rows of each batch of a file. The first batch is small, so that the caller gets data
 * soon. Later batches are large, because each row then costs less.
 */
export function* batchSizes(): Generator<number, never> {
  yield 100;
  for (;;) yield 1_000;
}

/**
 * Yields every item of a list in batches. No transaction is open between two batches, even if the caller
 * reads slowly. The list is ordered by creation, so a row does not move while the list is read.
 */
export async function* readPages<Item>(
  pageOf: (slice: Slice) => Promise<Page<Item>>,
): AsyncGenerator<Item[]> {
  let after: string | undefined;
  for (const limit of batchSizes()) {
    const { items, next } = await pageOf({ page: 1, limit, after, isUncounted: true });
    yield items;
    if (next === undefined) return;
    after = next;
  }
}
