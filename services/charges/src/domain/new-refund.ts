import { type Cents, Refusal } from '@plataforma/kernel';
import type { Charge } from './charge.ts';

/**
 * Returns the amount to refund: the requested amount, or by default the net amount, as the API's contract
 * says.
 */
export function refundAmount({ amount, netAmount }: Charge, requested: Cents | undefined): Cents {
  const refunded = requested ?? netAmount;
  if (refunded > amount) {
    throw new Refusal('invalid', 'VALIDATION_ERROR', `amount: must be at most ${amount}, the charge’s`);
  }
  if (refunded < 1) {
    throw new Refusal('invalid', 'VALIDATION_ERROR', 'amount: is required, as the net amount is nothing');
  }
  return refunded;
}

export function notSupported(): Refusal {
  const message = 'the provider of this charge does not return money through its API';
  return new Refusal('invalid', 'REFUND_NOT_SUPPORTED', message);
}
