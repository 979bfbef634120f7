import type { StopSubject } from '@plataforma/contracts';
import { methodOf, type Withdrawal } from './withdrawal.ts';

/**
 * Returns the provider and the merchant by which operators can stop this payout. A TED has no provider,
 * because operators send it.
 */
export function payoutSubject(withdrawal: Pick<Withdrawal, 'payee' | 'merchantId'>): StopSubject {
  const provider = methodOf(withdrawal) === 'PIX' ? 'payout' : null;
  return { what: 'payouts', provider, merchantId: withdrawal.merchantId };
}

/**
 * Returns the time since which the payout may be sent. Returns null if the provider has accepted or refused
 * the payout, or if a TED has started.
 */
export function mayBeSentSince(withdrawal: Withdrawal): Date | null {
  const { status, createdAt, payableFrom, startedAt, acceptedAt, unconfirmed } = withdrawal;
  if (status === 'APPROVED') return payableFrom && payableFrom > createdAt ? payableFrom : createdAt;
  const isOrdered = status === 'PROCESSING' && methodOf(withdrawal) === 'PIX' && !acceptedAt && !unconfirmed;
  return isOrdered ? startedAt : null;
}
