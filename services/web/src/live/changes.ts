import type { DomainEvent, EventType } from '@plataforma/events';

/** What pages are told of. */
export const told = [
  'charge.created',
  'charge.cancelled',
  'charge.paid',
  'charge.expired',
  'charge.refunded',
  'charge.refund_failed',
  'dispute.opened',
  'dispute.resolved',
  'payment.unexpected',
  'withdrawal.created',
  'withdrawal.approved',
  'withdrawal.completed',
  'withdrawal.failed',
  'withdrawal.rejected',
] as const satisfies readonly EventType[];

/** Resources as the keys of the pages' queries begin. */
const CHARGE = [
  ...['charge', 'charges', 'paymentLink', 'balance', 'transactions', 'statement', 'events', 'home'],
  'volume',
];
const DISPUTE = [...CHARGE, 'dispute', 'disputes', 'refunds'];
const WITHDRAWAL = ['withdrawal', 'withdrawals', 'balance', 'transactions', 'statement', 'events', 'home'];

/** Which resources of a merchant an event has changed. */
export function changedBy({ type }: Pick<DomainEvent, 'type'>): readonly string[] {
  if (type.startsWith('withdrawal.')) return WITHDRAWAL;
  if (type === 'charge.refunded' || type === 'charge.refund_failed') return [...CHARGE, 'refund', 'refunds'];
  return type.startsWith('dispute.') ? DISPUTE : CHARGE;
}

/** The charge whose buyer may be looking; null where it is about none. */
export function chargeOf(event: DomainEvent): string | null {
  const names = ['dispute.opened', 'dispute.resolved', 'payment.unexpected'];
  if (names.includes(event.type) && 'chargeId' in event.data) return event.data.chargeId;
  return event.type.startsWith('charge.') ? event.aggregateId : null;
}

/** The visit to a payment link whose buyer may be looking. */
export function checkoutOf({ data }: DomainEvent): string | null {
  return 'checkoutId' in data && typeof data.checkoutId === 'string' ? data.checkoutId : null;
}
