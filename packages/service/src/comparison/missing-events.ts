import {
  dueMissing,
  type EventRange,
  listPublished,
  publishAgain,
  recordMissing,
  recordReceived,
} from '@plataforma/tables';
import { askSubscriber, type Pair } from './ask-subscriber.ts';
import { MOST_IDS } from './contract.ts';

/**
 * Publishes again the events that an earlier comparison found missing and that are still missing. Publishes
 * nothing while the subscriber is behind, because missing events may still be in its queue.
 */
export async function publishMissing(pair: Pair, position: string): Promise<void> {
  const { database, subscriber, now, stopping } = pair;
  for (let isFirst = true; !stopping.aborted; isFirst = false) {
    const ids = await dueMissing(database, subscriber, { by: now, limit: MOST_IDS });
    const answer = ids.length > 0 ? await askSubscriber(pair, { position, ids }) : null;
    if (!answer || answer.is === 'restored' || (answer.is === 'behind' && isFirst)) return;
    const missing = new Set(answer.missing);
    const received = ids.filter((id) => !missing.has(id));
    await recordReceived(database, subscriber, received);
    await publish(pair, answer.missing);
  }
}

async function publish({ database, log, subscriber, everyMs }: Pair, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await publishAgain(database, subscriber, { ids, everyMs });
  const about = { subscriber, events: ids.length, first: ids[0] };
  log.error(about, 'events published again, because a subscriber lacked them');
}

/**
 * Asks for each event of the range, and records the missing ones, which the next comparison publishes again.
 * Returns false if the subscriber has not answered for every event.
 */
export async function findMissing(
  pair: Pair,
  { position, range, types }: { position: string; range: EventRange; types: readonly string[] },
): Promise<boolean> {
  const { database, log, subscriber, stopping } = pair;
  for (let { from } = range; !stopping.aborted; ) {
    const ids = await listPublished(database, { ...range, from }, { types, limit: MOST_IDS });
    const last = ids.length < MOST_IDS ? undefined : ids.at(-1);
    const answer = await askSubscriber(pair, { position, ids, ...(last ? {} : { range }) });
    if (!answer || answer.is === 'restored') return false;
    const { missing } = answer;
    await recordMissing(database, subscriber, missing);
    if (missing.length > 0)
      log.warn({ subscriber, events: missing.length, first: missing[0] }, 'subscriber lacks events');
    if (!last) return true;
    from = last;
  }
  return false;
}
