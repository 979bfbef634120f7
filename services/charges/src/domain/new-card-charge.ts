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
 * A waiting caller may claim a charge this much earlier than the scheduler, because the scheduler only asks
 * the acquirer and sends no order.
 */
export const AHEAD_OF_SCHEDULE_MS = 1_000;

/**
 * Builds a charge with a lease for its caller, so that the scheduler leaves the charge to the caller at
 * first.
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
 * Requires that both requests describe the same order. After a decline, the externalId is free for another
 * order, but not together with the used token.
 */
export function requireSameAttempt(first: Charge, planned: Charge): void {
  if (first.status === 'DECLINED' && differencesOf(first, planned).length > 0) throw uselessToken();
  requireSameOrder(first, planned);
}
