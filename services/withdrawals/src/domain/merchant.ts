import type { MerchantSnapshot } from '@plataforma/events';
import { Refusal } from '@plataforma/kernel';

export function isBarred({ status }: Pick<MerchantSnapshot, 'status'>): boolean {
  return status === 'SUSPENDED' || status === 'REJECTED';
}

export function requireActive(merchant: Pick<MerchantSnapshot, 'status'>): void {
  const message = 'the account can’t withdraw; contact support';
  if (isBarred(merchant)) throw new Refusal('forbidden', 'MERCHANT_SUSPENDED', message);
}
