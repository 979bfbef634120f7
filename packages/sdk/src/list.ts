import type { Page } from './client/index.ts';

/** Each page takes a request: as many rows as the API gives at once. */
const ROWS_A_PAGE = 100;

export type ReadPage<Item> = (query: Record<string, unknown>) => Promise<Page<Item>>;

/** A list: all of its items with `for await`, or one page with `page(n)`. Nothing is read before. */
export class List<Item> implements AsyncIterable<Item> {
  readonly #read: ReadPage<Item>;
  readonly #query: Record<string, unknown>;

  constructor(read: ReadPage<Item>, query: Record<string, unknown>) {
    this.#read = read;
    this.#query = query;
  }

  /** One page and its `meta`: how many there are in all, and how many pages. */
  page(page = 1): Promise<Page<Item>> {
    return this.#read({ ...this.#query, page });
  }

  /** Page after page, each from where the one before it ended: what is added meanwhile shifts nothing. */
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
