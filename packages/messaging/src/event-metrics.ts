import type { DomainEvent } from '@plataforma/events';
import { timeOfId } from '@plataforma/kernel';
import { metrics } from './metrics.ts';

const handled = metrics.recorder('plataforma_events_total');
const unclaimable = metrics.recorder('plataforma_events_unclaimable_total', [
  { cause: 'old' },
  { cause: 'ahead' },
]);
const lagSeconds = metrics.recorder('plataforma_event_lag_seconds');

/** Counts the events of a committed batch. Events that are not in `newlyApplied` are duplicates. */
export function countApplied(batch: readonly DomainEvent[], newlyApplied: readonly DomainEvent[]): void {
  const now = Date.now();
  const applied = countByType(newlyApplied);
  for (const [type, times] of applied) handled({ type, outcome: 'applied' }, times);
  for (const [type, times] of countByType(batch)) {
    const duplicates = times - (applied.get(type) ?? 0);
    if (duplicates > 0) handled({ type, outcome: 'duplicate' }, duplicates);
  }
  // A negative lag counts as 0. It occurs when the producer's clock is ahead of this clock.
  for (const { type, occurredAt } of newlyApplied)
    lagSeconds({ type }, Math.max(0, now - Date.parse(occurredAt)) / 1_000);
}

/**
 * Returns the number of events of each type. Recording each event separately would make a batch twice as
 * expensive.
 */
function countByType(events: readonly DomainEvent[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { type } of events) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

/** Counts an event that became a dead letter. An event that cannot be read has the type `(unreadable)`. */
export function countDead(type = '(unreadable)'): void {
  handled({ type, outcome: 'dead' }, 1);
}

/**
 * Counts an event that became a dead letter because the time in its id is too old or too new. Returns `old`
 * or `ahead`.
 */
export function countUnclaimable({ id, type }: DomainEvent): 'old' | 'ahead' {
  const cause = timeOfId(id).getTime() > Date.now() ? 'ahead' : 'old';
  unclaimable({ cause }, 1);
  countDead(type);
  return cause;
}
