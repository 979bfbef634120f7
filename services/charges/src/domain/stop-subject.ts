import type { StoppableOrder, StopSubject } from '@plataforma/contracts';
import type { Charge, PaymentMethod } from './charge.ts';

/** Returns the values that decide whether an operator's stop applies to an order of a charge. */
export function subjectOf(
  order: StoppableOrder,
  { paymentMethod, merchantId }: Pick<Charge, 'paymentMethod' | 'merchantId'>,
): StopSubject {
  return { what: order, provider: providerOf(paymentMethod), merchantId };
}

function providerOf(paymentMethod: PaymentMethod) {
  return paymentMethod === 'PIX' ? 'pix' : 'card';
}

/** Statuses in which the provider is not known to have the refund order. */
const WITHOUT_PROVIDER = new Set(['REQUESTED', 'DEBITED', 'STORED', 'ORDERED']);

/**
 * Returns the time from which the refund order may be sent. Returns null once the provider is known to have
 * the order.
 */
export function mayBeSentSince({ status, createdAt }: { status: string; createdAt: Date }): Date | null {
  return WITHOUT_PROVIDER.has(status) ? createdAt : null;
}
