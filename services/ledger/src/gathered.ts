import { coalesced } from '@plataforma/observe';

interface Gathering<Item, Result> {
  limit: number;
  /**
   * Processes a batch and returns one result for each item, in the same order. If it throws, the whole batch
   * has failed.
   */
  work: (items: Item[]) => Promise<Result[]>;
  /**
   * Returns true for an error after which the batch's other items need no attempt, because they would also
   * fail.
   */
  isHopeless: (error: unknown) => boolean;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Returns a function that takes one item and processes it in a batch. While one batch is processed, new items
 * gather for the next batch. After a failure, the items of the batch are processed one by one, so that an
 * invalid item does not affect the others.
 */
export function gathered<Item, Result>(options: Gathering<Item, Result>): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  const batches = coalesced(async () => {
    // Wait until all items of this turn of the event loop are in the first batch.
    await new Promise(setImmediate);
    while (waiting.length > 0) await together(waiting.splice(0, options.limit), options);
  });

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      batches.now();
    });
}

async function together<Item, Result>(
  batch: readonly Waiting<Item, Result>[],
  { work, isHopeless }: Gathering<Item, Result>,
): Promise<void> {
  try {
    const results = await work(batch.map(({ item }) => item));
    for (const [index, result] of results.entries()) batch[index]?.resolve(result);
  } catch (error) {
    if (batch.length > 1) await oneByOne(batch, { work, isHopeless });
    else for (const { reject } of batch) reject(error);
  }
}

async function oneByOne<Item, Result>(
  batch: readonly Waiting<Item, Result>[],
  { work, isHopeless }: Pick<Gathering<Item, Result>, 'work' | 'isHopeless'>,
): Promise<void> {
  let hopeless: { error: unknown } | undefined;
  for (const { item, resolve, reject } of batch) {
    if (hopeless) {
      reject(hopeless.error);
      continue;
    }
    try {
      const [result] = await work([item]);
      if (result === undefined) throw new Error('work on one item returned no result');
      resolve(result);
    } catch (error) {
      if (isHopeless(error)) hopeless = { error };
      reject(error);
    }
  }
}
