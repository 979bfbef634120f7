import type { Page } from './client/index.ts';

/** Rows on a page: the API's maximum, because each page costs a request. */
const ROWS_A_PAGE = 100;

export type ReadPage<Item> = (query: Record<string, unknown>) => Promise<Page<Item>>;

/**
 * A list. Read all items with `for await`, or one page with `page(n)`. The SDK sends no request before that.
 */
export class List<Item> implements AsyncIterable<Item> {
  readonly #read: ReadPage<Item>;
  readonly #query: Record<string, unknown>;

  constructor(read: ReadPage<Item>, query: Record<string, unknown>) {
    this.#read = read;
    this.#query = query;
  }

  /** Returns one page. Its `meta` has the total numbers of items and pages. */
  page(page = 1): Promise<Page<Item>> {
    return this.#read({ ...this.#query, page });
  }

  /**
   * Yields the items of all pages. Each page starts after the last item of the page before, so new items do
   * not shift the pages.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let query: Record<string, unknown> = { limit: ROWS_A_PAGE, ...this.#query };
    for (;;) {
      const { data, meta } = await this.#read(query);
      yield* data;
      if (meta.next === undefined) return;
      query = { ...query, page: undefined, after: meta.next };
    }
  }
}
