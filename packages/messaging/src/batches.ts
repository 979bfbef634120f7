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
 * Of which batches the broker does not know yet what became of all. A batch that is applied before an older one waits
 * for it, and one acknowledgement settles both: a quorum queue takes 32 of a channel at once and keeps the rest back,
 * and what it keeps back is lost when the channel closes. A batch that is abandoned stays unsettled.
 */
export function trackBatches(channel: Channel) {
  /** In the order in which they came. */
  const unsettled = new Map<readonly Received[], 'at work' | 'applied' | 'settled alone'>();

  function end(batch: readonly Received[], state: 'applied' | 'settled alone'): void {
    unsettled.set(batch, state);
    let last: Received | undefined;
    for (const [oldest, itsState] of unsettled) {
      if (itsState === 'at work') break;
      if (itsState === 'applied') last = oldest.at(-1);
      unsettled.delete(oldest);
    }
    if (last) channel.ack(last.message, true);
  }

  return {
    begin: (batch: readonly Received[]) => unsettled.set(batch, 'at work'),
    acknowledge: (batch: readonly Received[]) => end(batch, 'applied'),
    /** The broker has heard of each of its messages. */
    end: (batch: readonly Received[]) => end(batch, 'settled alone'),
  };
}
