import { jsonLines, type SealedTable, type Transaction } from '@plataforma/data';
import type { Announcement, DomainEvent } from '@plataforma/events';
import { newId } from '@plataforma/kernel';
import { currentContext } from '@plataforma/observe';
import { sealOf } from './row-seals.ts';
import type { SealedRows } from './seal-rows.ts';

/** The signal that wakes this process's relay after a transaction with announcements has been committed. */
export const OUTBOX_SIGNAL = 'outbox';

const INSERT = `
  INSERT INTO outbox (event_id, type, seal, body)
  SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], string_to_array($4, chr(10)))`;

/** The sealed rows of the outbox. The relay publishes only events that this service has announced. */
export const sealedOutbox: SealedTable = { name: 'outbox', fields: ['type', 'body'] };
/** All events, because a published event is published again if a subscriber lacks it. */
export const eventsToSeal: SealedRows = {
  table: sealedOutbox,
  ...{ key: 'event_id', keyType: 'uuid', columns: ['type', 'body'] },
};

/**
 * Announces events, which are committed with `tx` or not at all. After the commit, the relay publishes each
 * event at least once; events of different aggregates have no fixed order. Every subscriber applies each
 * event exactly once.
 */
export async function announce(tx: Transaction, ...announcements: readonly Announcement[]): Promise<void> {
  const events = announcements.map((announcement) => {
    const event = withEnvelope(announcement);
    return { id: event.id, type: event.type, body: JSON.stringify(event) };
  });
  await tx.query(INSERT, [
    events.map(({ id }) => id),
    events.map(({ type }) => type),
    events.map((event) => sealOf(tx, sealedOutbox, event)),
    jsonLines(events.map(({ body }) => body)),
  ]);
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
