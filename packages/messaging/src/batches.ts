import type { Channel } from 'amqplib';
import type { Received } from './traces.ts';

export const BATCH_SIZE = 200;

/**
 * Removes whole messages from the front of `waiting` until they contain at least BATCH_SIZE events. Returns
 * these events.
 */
export function firstOf(waiting: Received[][]): Received[] {
  let events = 0;
  const last = waiting.findIndex((received) => {
    events += received.length;
    return events >= BATCH_SIZE;
  });
  return waiting.splice(0, last === -1 ? waiting.length : last + 1).flat();
}

/**
 * Tracks unacknowledged batches in the order of delivery. An applied batch waits for older batches, so that
 * one acknowledgement covers all of them. Acknowledgements must be few: a quorum queue processes at most 32
 * of a channel at once, and loses the others when the channel closes. An abandoned batch is not acknowledged.
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
    /** Ends a batch whose messages were already acknowledged or rejected one by one. */
    end: (batch: readonly Received[]) => end(batch, 'acknowledged singly'),
  };
}
