import { jsonLines, type Transaction } from '@plataforma/data';
import type { Announcement, DomainEvent } from '@plataforma/events';
import { newId } from '@plataforma/kernel';
import { currentContext } from '@plataforma/observe';

/** The signal that wakes this process's relay after a transaction with announcements has been committed. */
export const OUTBOX_SIGNAL = 'outbox';

const INSERT = `
  INSERT INTO outbox (event_id, type, body)
  SELECT * FROM unnest($1::uuid[], $2::text[], string_to_array($3, chr(10)))`;

/**
 * Announces events, which are committed with `tx` or not at all. After the commit, the relay publishes each
 * event at least once; events of different aggregates have no fixed order. Every subscriber applies each
 * event exactly once.
 */
export async function announce(tx: Transaction, ...announcements: readonly Announcement[]): Promise<void> {
  const events = announcements.map(withEnvelope);
  const bodies = jsonLines(events.map(toText));
  await tx.query(INSERT, [events.map(({ id }) => id), events.map(({ type }) => type), bodies]);
  tx.signalAfterCommit(OUTBOX_SIGNAL);
}

export function withEnvelope(announcement: Announcement): DomainEvent {
  return {
    ...announcement,
    id: newId(),
    version: 1,
    occurredAt: new Date().toISOString(),
    traceparent: currentContext()?.traceparent ?? null,
  };
}

function toText(event: DomainEvent): string {
  return JSON.stringify(event);
}
