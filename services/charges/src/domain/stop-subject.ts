import type { StoppableOrder, StopSubject } from '@plataforma/contracts';
import type { Charge, PaymentMethod } from './charge.ts';

/** Returns the order for a charge as a stop names it. */
export function subjectOf(
  order: StoppableOrder,
  { paymentMethod, merchantId }: Pick<Charge, 'paymentMethod' | 'merchantId'>,
): StopSubject {
  return { what: order, provider: providerOf(paymentMethod), merchantId };
}

function providerOf(paymentMethod: PaymentMethod) {
  return paymentMethod === 'PIX' ? 'pix' : 'card';
}

/** States of a refund and of its order before the provider is known to have the order. */
const WITHOUT_PROVIDER = new Set(['REQUESTED', 'DEBITED', 'STORED', 'ORDERED']);

/** Returns since when the order of a refund may be sent; null once the provider has it. */
export function mayBeSentSince({ status, createdAt }: { status: string; createdAt: Date }): Date | null {
  return WITHOUT_PROVIDER.has(status) ? createdAt : null;
}
