import type { Cents } from '@plataforma/kernel';
import { chargebackReference } from '../domain/provider-reference.ts';
import type { DisputeNotice } from './open-dispute.ts';

/** What the acquirer says of a charge that its card holder has charged back. */
export function chargebackNotice(
  chargeId: string,
  acquirerId: string,
  { amount, reason }: { amount: Cents; reason: string },
): Omit<DisputeNotice, 'operatorId'> {
  const description = 'the cardholder contests the payment';
  return { chargeId, amount, reason, description, providerReference: chargebackReference(acquirerId) };
}
