import type { Subscriber } from '@plataforma/events';
import type { Signer } from '@plataforma/http';
import { type Clock, timeOfId } from '@plataforma/kernel';
import { every } from '@plataforma/observe';
import {
  type EventRange,
  forgetMissing,
  idBefore,
  movePosition,
  publishedRange,
  sumPublished,
  takeDueComparisons,
} from '@plataforma/tables';
import { askSubscriber, openSubscriber, type Pair } from './ask-subscriber.ts';
import { comparedTypes } from './contract.ts';
import { findMissing, publishMissing } from './missing-events.ts';

interface CompareEvents extends Pick<Pair, 'database' | 'log' | 'producer' | 'everyMs'> {
  clock: Clock;
  signer: Signer;
  urls: ReadonlyMap<Subscriber, string>;
  /** The days for which every inbox keeps its events. */
  keepDays: number;
}

const FIRST_MS = 10_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The longest range of one statement, so that the statement takes seconds at most. */
const PORTION_MS = 10 * 60_000;
/** The age at which events have usually been applied. */
const USUAL_DELAY_MS = 60_000;

/**
 * Compares the published events of a range with those that each subscriber received, by number and sum of
 * ids. If the events differ, asks the subscriber which ids it lacks. Publishes an event again that is missing
 * in two comparisons. One replica at a time compares.
 */
export function startComparingEvents(options: CompareEvents): { stop(): Promise<void> } {
  const { database, log, clock, urls, signer, everyMs, keepDays, producer } = options;
  const peers = [...urls].map(([subscriber, url]) => ({
    ...{ database, log, producer, everyMs, subscriber },
    peer: openSubscriber(subscriber, url, signer),
  }));
  const stopping = new AbortController();
  const work = async () => {
    const now = clock();
    const oldest = idBefore(now, keepDays * DAY_MS);
    await forgetMissing(database, oldest);
    const start = idBefore(now, HOUR_MS);
    const due = await takeDueComparisons(database, [...urls.keys()], { start, everyMs });
    for (const { subscriber, position } of due) {
      const peer = peers.find((each) => each.subscriber === subscriber);
      if (peer) await compareWith({ ...peer, now, oldest, stopping: stopping.signal }, position);
    }
  };
  const job = every({ everyMs, firstMs: Math.min(everyMs, FIRST_MS), log, name: 'compare events', work });
  return {
    async stop() {
      stopping.abort();
      await job.stop();
    },
  };
}

interface Progress {
  position: string;
  /** True after the subscriber's database was restored. The answer `behind` then stops no comparison. */
  isRestored: boolean;
}

async function compareWith(pair: Pair, start: string): Promise<void> {
  const { database, subscriber, everyMs, stopping } = pair;
  await publishMissing(pair, start);
  let progress: Progress = { position: start, isRestored: false };
  while (!stopping.aborted) {
    const next = await compareNext(pair, progress);
    const { position } = progress;
    if (!next || !(await movePosition(database, { subscriber, position }, { to: next.position, everyMs })))
      return;
    progress = next;
  }
}

/** Compares the next range. Returns null if the range must wait. */
async function compareNext(pair: Pair, progress: Progress): Promise<Progress | null> {
  const next = await nextRange(pair, progress.position);
  if (!next) return null;
  for (const range of [...lateRanges(next, pair.oldest), next]) {
    if (pair.stopping.aborted) return null;
    const after = await compareRange(pair, progress, range);
    if (!after || after.position < progress.position) return after;
  }
  return { ...progress, position: next.before };
}

/**
 * Compares a range. Returns null if the range must wait, and a lower position if the subscriber was restored.
 */
async function compareRange(
  pair: Pair,
  { position, isRestored }: Progress,
  range: EventRange,
): Promise<Progress | null> {
  const { database, log, producer, subscriber } = pair;
  const types = comparedTypes(producer, subscriber);
  const published = await sumPublished(database, range, types);
  const answer = await askSubscriber(pair, { position, range, published });
  if (!answer) return null;
  if (answer.is === 'restored' && answer.position !== null) {
    const since = timeOfId(answer.position);
    log.warn({ subscriber, since }, 'subscriber was restored, and its events are compared again');
    return { position: answer.position, isRestored: true };
  }
  if (answer.is === 'behind' && !isRestored) return null;
  const done = { position, isRestored };
  if (answer.is === 'equal') return done;
  const taken = types.filter((type) => answer.types.includes(type));
  return (await findMissing(pair, { position, range, types: taken })) ? done : null;
}

/** Returns the next range after `position` with events that are old enough to compare, or null. */
async function nextRange({ database, now, everyMs, oldest }: Pair, position: string) {
  const from = position > oldest ? position : oldest;
  const newest = idBefore(now, Math.min(everyMs / 2, USUAL_DELAY_MS));
  const [before = from] = [newest, idBefore(timeOfId(from), -PORTION_MS)].toSorted();
  const range = await publishedRange(database, { from, before });
  return range.before > from ? range : null;
}

/**
 * Returns the hour before a range that crosses the start of an hour, in portions. This repetition covers
 * events that were committed an hour late, or whose ids come from a wrong clock.
 */
function lateRanges({ from, before }: EventRange, oldest: string): EventRange[] {
  const [start, end] = [from, before].map((id) => Math.floor(timeOfId(id).getTime() / HOUR_MS));
  if (start === end) return [];
  const portions = Array.from({ length: HOUR_MS / PORTION_MS }, (_, index) => ({
    from: idBefore(timeOfId(from), (index + 1) * PORTION_MS),
    before: idBefore(timeOfId(from), index * PORTION_MS),
  }));
  return portions.filter((portion) => portion.from >= oldest);
}
