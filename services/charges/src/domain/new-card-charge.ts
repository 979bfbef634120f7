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
 * A waiting caller may claim a charge this much before the schedule, which only asks the acquirer and orders
 * nothing.
 */
export const AHEAD_OF_SCHEDULE_MS = 1_000;

/** Builds a charge with a lease for its caller, so that the schedule leaves the caller time to return. */
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

/** Requires the same order. A decline frees the externalId for another order, but not with the used token. */
export function requireSameAttempt(first: Charge, planned: Charge): void {
  if (first.status === 'DECLINED' && differencesOf(first, planned).length > 0) throw uselessToken();
  requireSameOrder(first, planned);
}
