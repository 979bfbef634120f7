import type { MerchantSnapshot } from '@plataforma/events';
import { type Environment, Refusal } from '@plataforma/kernel';

export function isBarred({ status }: Pick<MerchantSnapshot, 'status'>): boolean {
  return status === 'SUSPENDED' || status === 'REJECTED';
}

/** Returns the merchant's withdrawal limits in this environment. */
export function limitsIn(
  environment: Environment,
  { dailyWithdrawalLimit, destinationCooldownHours, sandboxLimits }: MerchantSnapshot,
) {
  const limits = { dailyWithdrawalLimit, destinationCooldownHours };
  return environment === 'sandbox' ? { ...limits, ...sandboxLimits } : limits;
}

export function requireActive(merchant: Pick<MerchantSnapshot, 'status'>): void {
  const message = 'the account can’t withdraw; contact support';
  if (isBarred(merchant)) throw new Refusal('forbidden', 'MERCHANT_SUSPENDED', message);
}
