import { newId, type Tenant } from '@plataforma/kernel';
import { uselessToken } from './card.ts';
import type { Charge } from './charge.ts';
import { differencesOf, newCharge, type Order, requireSameOrder } from './new-charge.ts';

export interface CardOrderFields extends Order {
  cardToken: string;
  installments: number;
  statementDescriptor?: string | undefined;
  payerPhone?: string | undefined;
}

/**
 * A waiting caller may claim its charge this much earlier than the scheduler. If the order never reached the
 * acquirer, only the caller can send it again, because the scheduler has no card token.
 */
export const AHEAD_OF_SCHEDULE_MS = 1_000;

/**
 * Builds a charge whose lease belongs to the request that creates the charge. The scheduler therefore does
 * not process the charge before the lease ends.
 */
export function newCardCharge(
  order: CardOrderFields,
  tenant: Tenant,
  { leaseUntil, ...options }: { fee: number; now: Date; leaseUntil: Date },
): Charge {
  const { installments } = order;
  const names = { acquirerId: null, brand: null, lastDigits: null, nsu: null, authorizationCode: null };
  const card = { installments, ...names, declineReason: null, isVoiding: false, isWatched: false };
  const dueAt = new Date(leaseUntil.getTime() + AHEAD_OF_SCHEDULE_MS);
  const lease = { leaseToken: newId(), leaseUntil, dueAt };
  return { ...newCharge(order, { tenant, ...options, paymentMethod: 'CARD' }), card, ...lease };
}

/**
 * Throws unless both charges describe the same order. After a decline, a different order may use the
 * externalId, but not together with the card token of the declined order.
 */
export function requireSameAttempt(first: Charge, planned: Charge): void {
  if (first.status === 'DECLINED' && differencesOf(first, planned).length > 0) throw uselessToken();
  requireSameOrder(first, planned);
}
