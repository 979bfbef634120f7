import { coalesced } from '@plataforma/observe';

interface Gathering<Item, Result> {
  /** The most items of a batch. */
  limit: number;
  /** Returns one result for each item, in their order. An error concerns all items. */
  work: (items: Item[]) => Promise<Result[]>;
  /** Returns whether this error ends the attempts with single items. */
  isHopeless: (error: unknown) => boolean;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Returns a function for one item that works in batches. The next batch collects while one is at work,
 * outside any request's context. The items of a failed batch are tried one by one, so that none fails because
 * of another.
 */
export function gathered<Item, Result>(options: Gathering<Item, Result>): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  const batches = coalesced(async () => {
    // Let all items of the same tick join the first batch.
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
