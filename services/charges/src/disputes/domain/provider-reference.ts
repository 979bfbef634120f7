import type { Cents, Environment } from '@plataforma/kernel';
import type { DisputeNotice } from './dispute.ts';

const INFRACTION = /^infraction:[a-z]+:(.+)$/;
const CHARGEBACK = 'chargeback:';

/**
 * A dispute's name at whoever opened it, so that hearing of it twice opens it once. The providers of two environments
 * may use one number for two infractions.
 */
export function infractionReference(environment: Environment, id: string): string {
  return `infraction:${environment}:${id}`;
}

export function chargebackReference(acquirerId: string): string {
  return CHARGEBACK + acquirerId;
}

/** Returns the notice for a charge that its card holder has charged back. */
export function chargebackNotice(
  chargeId: string,
  acquirerId: string,
  { amount, reason }: { amount: Cents; reason: string },
): DisputeNotice {
  const description = 'the cardholder contests the payment';
  return { chargeId, amount, reason, description, providerReference: chargebackReference(acquirerId) };
}

/** The id of the infraction (MED) that a dispute came from; null for disputes of other origin. */
export function infractionOf(reference: string | null): string | null {
  return INFRACTION.exec(reference ?? '')?.[1] ?? null;
}
