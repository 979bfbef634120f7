import { recorder } from '@plataforma/chassis';
import type { DomainEvent } from '@plataforma/events';

const handled = recorder('plataforma_events_total');
const lagSeconds = recorder('plataforma_event_lag_seconds');

/** What came of a batch whose transaction is committed: events that are not in `unseen` had been applied before. */
export function countApplied(batch: readonly DomainEvent[], unseen: readonly DomainEvent[]): void {
  const isApplied = new Set(unseen);
  const now = Date.now();
  for (const event of batch) {
    const { type, occurredAt } = event;
    const outcome = isApplied.has(event) ? 'applied' : 'duplicate';
    handled({ type, outcome }, 1);
    // The clock of whoever announced it may be ahead of ours.
    if (outcome === 'applied') lagSeconds({ type }, Math.max(0, now - Date.parse(occurredAt)) / 1_000);
  }
}

/** An event that was set aside; its type when it can be read. */
export function countDead(type = '(unreadable)'): void {
  handled({ type, outcome: 'dead' }, 1);
}
