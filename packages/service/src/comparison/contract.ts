import {
  isLiveUpdate,
  type Producer,
  producersFor,
  type Subscriber,
  subscribers,
  typesFor,
  typesOf,
} from '@plataforma/events';
import { z } from 'zod';

/** The route on which a subscriber answers which events of a producer it has received. */
export const APPLIED_PATH = '/internal/events/applied';

/** The maximum number of ids in a question. A body may have at most a thousand values (`refuseManyValues`). */
export const MOST_IDS = 500;

const sum = z.object({ count: z.int().nonnegative(), sum: z.string() });
/** The bounds of a range are not ids of events, so they need not have the version of a UUID. */
const bound = z.guid().lowercase();
const range = z.object({ from: bound, before: bound });

/**
 * A question of a producer that has compared its events up to `position`. With `published`: does the
 * subscriber have the same events of the range? With `ids`: which of these events does it lack? If `ids` come
 * with a range, they are the last ids of this range.
 */
export const appliedQuestion = z.union([
  z.object({ position: bound, range, published: sum }),
  z.object({ position: bound, range: range.optional(), ids: z.array(z.uuid().lowercase()).max(MOST_IDS) }),
]);
export type AppliedQuestion = z.infer<typeof appliedQuestion>;

/**
 * `restored`: the subscriber's copy of the position is lower, as after a restore of its database. `behind`:
 * messages wait in the subscriber's queue, so that missing events may still arrive.
 */
export const appliedAnswer = z.object({
  is: z.enum(['equal', 'different', 'behind', 'restored', 'listed']),
  position: bound.nullable(),
  missing: z.array(z.uuid()),
  /** The types that the subscriber takes from the producer. */
  types: z.array(z.string()),
});
export type AppliedAnswer = z.infer<typeof appliedAnswer>;

/** Returns the subscribers of the producer's events. Heads of hash chains do not count as events. */
export function subscribersOf(producer: Producer): Subscriber[] {
  return subscribers.filter((subscriber) => producersFor(subscriber).includes(producer));
}

/** Returns the types that a subscriber takes from a producer and records in its inbox. */
export function comparedTypes(producer: Producer, subscriber: Subscriber): string[] {
  const taken = new Set<string>(typesFor(subscriber));
  return typesOf(producer).filter((type) => taken.has(type) && !isLiveUpdate(type));
}
