import { coalesced } from '@plataforma/observe';

interface Gathering<Item, Result> {
  /** How many are worked on together at most. */
  limit: number;
  /** Answers one result an item, in the same order; what it throws counts for all of them. */
  work: (items: Item[]) => Promise<Result[]>;
  /** Whether after this failure the others need not be tried one by one. */
  isHopeless: (error: unknown) => boolean;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * A function for one item that works on all that wait at the same instant: while one batch is at work the next
 * collects, outside of any request's context. A batch that fails is tried one by one, so that no item fails
 * because of another.
 */
export function gathered<Item, Result>(options: Gathering<Item, Result>): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  const batches = coalesced(async () => {
    // Lets everything that came in the same instant join the first batch.
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
      if (result === undefined) throw new Error('work on one item answered no result');
      resolve(result);
    } catch (error) {
      if (isHopeless(error)) hopeless = { error };
      reject(error);
    }
  }
}
