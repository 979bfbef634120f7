import type { Channel } from 'amqplib';
import type { Received } from './traces.ts';

export const BATCH_SIZE = 200;

/** Takes the events of whole messages from the front, up to about BATCH_SIZE. */
export function firstOf(waiting: Received[][]): Received[] {
  let events = 0;
  const last = waiting.findIndex((received) => {
    events += received.length;
    return events >= BATCH_SIZE;
  });
  return waiting.splice(0, last === -1 ? waiting.length : last + 1).flat();
}

/**
 * Tracks unacknowledged batches in delivery order. A batch that is applied before an older one waits for it,
 * and one acknowledgement covers both: a quorum queue takes 32 of a channel at once and keeps the rest back,
 * and what it keeps back is lost when the channel closes. A batch that is abandoned stays unacknowledged.
 */
export function trackBatches(channel: Channel) {
  const unacknowledged = new Map<readonly Received[], 'at work' | 'applied' | 'acknowledged singly'>();

  function end(batch: readonly Received[], state: 'applied' | 'acknowledged singly'): void {
    unacknowledged.set(batch, state);
    let last: Received | undefined;
    for (const [oldest, itsState] of unacknowledged) {
      if (itsState === 'at work') break;
      if (itsState === 'applied') last = oldest.at(-1);
      unacknowledged.delete(oldest);
    }
    if (last) channel.ack(last.message, true);
  }

  return {
    begin: (batch: readonly Received[]) => unacknowledged.set(batch, 'at work'),
    acknowledge: (batch: readonly Received[]) => end(batch, 'applied'),
    /** Each message of the batch was acknowledged or rejected on its own. */
    end: (batch: readonly Received[]) => end(batch, 'acknowledged singly'),
  };
}
