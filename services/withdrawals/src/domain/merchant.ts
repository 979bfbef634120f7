import type { MerchantSnapshot } from '@plataforma/events';
import { Refusal } from '@plataforma/kernel';

/** How long what a barred merchant can't have now rests before its standing is looked at again. */
export const BARRED_REST_MS = 60_000;

/** Nothing of a merchant that is SUSPENDED or REJECTED is paid out. */
export function isBarred({ status }: Pick<MerchantSnapshot, 'status'>): boolean {
  return status === 'SUSPENDED' || status === 'REJECTED';
}

export function demandActive(merchant: Pick<MerchantSnapshot, 'status'>): void {
  const message = 'the account can’t withdraw; contact support';
  if (isBarred(merchant)) throw new Refusal('forbidden', 'MERCHANT_SUSPENDED', message);
}
