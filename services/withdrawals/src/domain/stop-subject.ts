import type { StopSubject } from '@plataforma/contracts';
import { methodOf, type Withdrawal } from './withdrawal.ts';

/** Returns the payout as a stop names it. People send a TED, so it has no provider. */
export function payoutSubject(withdrawal: Pick<Withdrawal, 'payee' | 'merchantId'>): StopSubject {
  const provider = methodOf(withdrawal) === 'PIX' ? 'payout' : null;
  return { what: 'payouts', provider, merchantId: withdrawal.merchantId };
}

/** Returns since when the order may be sent; null once the provider has or refused it, or the TED started. */
export function mayBeSentSince(withdrawal: Withdrawal): Date | null {
  const { status, createdAt, payableFrom, startedAt, acceptedAt, unconfirmed } = withdrawal;
  if (status === 'APPROVED') return payableFrom && payableFrom > createdAt ? payableFrom : createdAt;
  const isOrdered = status === 'PROCESSING' && methodOf(withdrawal) === 'PIX' && !acceptedAt && !unconfirmed;
  return isOrdered ? startedAt : null;
}
