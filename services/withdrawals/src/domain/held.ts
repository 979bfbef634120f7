import type { StopSubject } from '@plataforma/contracts';
import { methodOf, type Withdrawal } from './withdrawal.ts';

/** The payout of a withdrawal, as a stop may name it. People send a TED, so it goes to no provider. */
export function payoutSubject(withdrawal: Pick<Withdrawal, 'target' | 'merchantId'>): StopSubject {
  const provider = methodOf(withdrawal) === 'PIX' ? 'payout' : null;
  return { what: 'payouts', provider, merchantId: withdrawal.merchantId };
}

/**
 * Since when its order could have left, as far as is recorded: null once the provider is known to have it, has refused
 * it, or people are to send it.
 */
export function heldSince(withdrawal: Withdrawal): Date | null {
  const { status, createdAt, payableFrom, startedAt, acceptedAt, unconfirmed } = withdrawal;
  if (status === 'APPROVED') return payableFrom && payableFrom > createdAt ? payableFrom : createdAt;
  const isAsked = status === 'PROCESSING' && methodOf(withdrawal) === 'PIX' && !acceptedAt && !unconfirmed;
  return isAsked ? startedAt : null;
}
