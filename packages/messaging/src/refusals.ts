import { backoff } from '@plataforma/kernel';
import { aggregateIn } from '@plataforma/tables';

interface Message {
  id: string;
  type: string;
  body: string;
}

interface Sorted<M> {
  /** What may be sent. */
  free: readonly M[];
  /** What comes after an event of the same aggregate whose type is refused. */
  heldBack: ReadonlySet<string>;
}

/** Which types the broker refuses to this service, as for want of a permission, and when each is tried again. */
export interface Refusals {
  sort<M extends Message>(messages: readonly M[]): Sorted<M>;
  /** The broker has closed the channel on which these were sent. */
  add(reason: string, sent: readonly Message[]): void;
  /** The broker took these. */
  end(sent: readonly Message[]): void;
}

const RETRIES = { firstMs: 1_000, longestMs: 60_000 };

export function createRefusals(): Refusals {
  const refused = new Map<string, { until: number; nextDelayMs: () => number }>();
  const isRefused = (type: string) => (refused.get(type)?.until ?? 0) > performance.now();

  return {
    sort(messages) {
      const heldBack = new Set<string>();
      if (refused.size === 0) return { free: messages, heldBack };
      const behind = new Set<string>();
      const free = messages.filter(({ id, type, body }) => {
        const aggregate = aggregateIn(body);
        const isHeld = !isRefused(type) && behind.has(aggregate);
        if (isHeld) heldBack.add(id);
        else if (isRefused(type)) behind.add(aggregate);
        return !isHeld && !isRefused(type);
      });
      return { free, heldBack };
    },
    add(reason, sent) {
      const types = [...new Set(sent.map(({ type }) => type))];
      // A refusal that names none of them as its routing key is about the whole exchange.
      const named = types.filter((type) => reason.includes(`'${type}'`));
      for (const type of named.length > 0 ? named : types) {
        const { nextDelayMs } = refused.get(type) ?? { nextDelayMs: backoff(RETRIES) };
        refused.set(type, { until: performance.now() + nextDelayMs(), nextDelayMs });
      }
    },
    end(sent) {
      if (refused.size > 0) for (const { type } of sent) refused.delete(type);
    },
  };
}
