import type { Answer, Delivery } from '@plataforma/testing';
import { z } from 'zod';
import { isGenuine } from './faults.ts';

const received = z.object({
  sequence: z.int(),
  data: z.object({ id: z.uuid(), status: z.string(), refundedAmount: z.int().optional() }),
});

type Received = z.infer<typeof received>;
type EventsById = Map<string, Received>;

/**
 * A merchant's server that follows the guide. It refuses forged requests and ignores events with an older
 * sequence.
 */
export interface Receiver {
  take(delivery: Delivery): Answer;
  /**
   * Returns the final state of these objects: by the event with the highest sequence, or by the event that
   * arrived last.
   */
  endOf(by: 'highest' | 'latest', objectIds: readonly string[]): unknown[];
  counts: { forged: number; repeated: number };
}

/** Creates a receiver. `slowMs` lists the delays of its responses, which are used in turn. */
export function newReceiver(secret: string, slowMs: readonly number[]): Receiver {
  const highest: EventsById = new Map();
  const latest: EventsById = new Map();
  const taken = new Set<string>();
  const counts = { forged: 0, repeated: 0 };
  let calls = 0;

  return {
    counts,
    take(delivery) {
      const delayMs = slowMs[calls % slowMs.length] ?? 0;
      calls += 1;
      if (!isGenuine(delivery, secret)) {
        counts.forged += 1;
        return { status: 401, delayMs };
      }
      const event = received.parse(JSON.parse(String(delivery.body)));
      const eventId = String(delivery.headers['x-webhook-event-id']);
      if (taken.has(eventId)) counts.repeated += 1;
      taken.add(eventId);
      latest.set(event.data.id, event);
      const newest = highest.get(event.data.id);
      if (!newest || newest.sequence < event.sequence) highest.set(event.data.id, event);
      return { status: 200, delayMs };
    },
    endOf(by, objectIds) {
      const events = { highest, latest }[by];
      return objectIds.map((id) => [
        id,
        events.get(id)?.data.status,
        events.get(id)?.data.refundedAmount ?? false,
      ]);
    },
  };
}
