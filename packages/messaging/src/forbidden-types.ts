import { backoff } from '@plataforma/kernel';
import { aggregateIn } from '@plataforma/tables';

interface Message {
  id: string;
  type: string;
  body: string;
}

interface Partitioned<M> {
  free: readonly M[];
  /**
   * The ids of events that must wait, because an earlier event of the same aggregate has a forbidden type.
   */
  postponedBehind: ReadonlySet<string>;
}

/**
 * The event types that the broker forbids this service to publish, each with the time of the next attempt.
 */
export interface ForbiddenTypes {
  partition<M extends Message>(messages: readonly M[]): Partitioned<M>;
  /**
   * Records the forbidden types. `reason` is the broker's reason for closing the channel on which `sent` was
   * published.
   */
  recordForbidden(reason: string, sent: readonly Message[]): void;
  /**
   * Allows the types of the messages in `sent` again. Call it when the broker has accepted these messages.
   */
  clear(sent: readonly Message[]): void;
}

const RETRIES = { firstMs: 1_000, longestMs: 60_000 };

export function createForbiddenTypes(): ForbiddenTypes {
  const refused = new Map<string, { until: number; nextDelayMs: () => number }>();
  const isRefused = (type: string) => (refused.get(type)?.until ?? 0) > performance.now();

  return {
    partition(messages) {
      const postponedBehind = new Set<string>();
      if (refused.size === 0) return { free: messages, postponedBehind };
      const behind = new Set<string>();
      const free = messages.filter(({ id, type, body }) => {
        const aggregate = aggregateIn(body);
        const isPostponed = !isRefused(type) && behind.has(aggregate);
        if (isPostponed) postponedBehind.add(id);
        else if (isRefused(type)) behind.add(aggregate);
        return !isPostponed && !isRefused(type);
      });
      return { free, postponedBehind };
    },
    recordForbidden(reason, sent) {
      const types = [...new Set(sent.map(({ type }) => type))];
      // If the reason names none of the types as a routing key, the service may not publish to the exchange
      // at all.
      const named = types.filter((type) => reason.includes(`'${type}'`));
      for (const type of named.length > 0 ? named : types) {
        const { nextDelayMs } = refused.get(type) ?? { nextDelayMs: backoff(RETRIES) };
        refused.set(type, { until: performance.now() + nextDelayMs(), nextDelayMs });
      }
    },
    clear(sent) {
      if (refused.size > 0) for (const { type } of sent) refused.delete(type);
    },
  };
}
