import { type ComposedQuery, composeSql, type Page, type Slice } from './paging.ts';

/**
 * The ids, and times of creation, of what several scans of a table find: each goes in the order of its index, and they are
 * merged by the order of the page, which reads no more of each than it shows.
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
 * How many rows each batch of a file has: few at first, so that its caller soon sees it come, then as many as cost little
 * each.
 */
export function* batchSizes(): Generator<number, never> {
  yield 100;
  for (;;) yield 1_000;
}

/**
 * Every item of a list in batches, by the function that answers its pages. Between two batches no transaction is open,
 * however slowly the caller reads: a row has its place by its creation, whatever becomes of it.
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
