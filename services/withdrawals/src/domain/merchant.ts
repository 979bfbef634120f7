import type { MerchantSnapshot } from '@plataforma/events';

/** How long what a barred merchant can't have now rests before its standing is looked at again. */
export const BARRED_REST_MS = 60_000;

/** Nothing of a merchant that is SUSPENDED or REJECTED is paid out. */
export function isBarred({ status }: Pick<MerchantSnapshot, 'status'>): boolean {
  return status === 'SUSPENDED' || status === 'REJECTED';
}
