import { saveMerchants, type Transaction } from '@plataforma/chassis';
import type { DomainEvent } from '@plataforma/events';

/** What this service does about the events it listens to. */
export async function applyEvents(tx: Transaction, events: readonly DomainEvent[]): Promise<void> {
  const snapshots = events.flatMap((event) => (event.type === 'merchant.updated' ? [event.data] : []));
  if (snapshots.length > 0) await saveMerchants(tx, snapshots);
}
