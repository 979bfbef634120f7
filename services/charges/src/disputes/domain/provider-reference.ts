import type { Cents, Environment } from '@plataforma/kernel';
import type { DisputeNotice } from './dispute.ts';

const INFRACTION = /^infraction:[a-z]+:(.+)$/;
const CHARGEBACK = 'chargeback:';

/**
 * Returns the reference of an infraction, so that a repeated report opens only one dispute. The reference
 * contains the environment, because the providers of production and the sandbox may use the same id.
 */
export function infractionReference(environment: Environment, id: string): string {
  return `infraction:${environment}:${id}`;
}

export function chargebackReference(acquirerId: string): string {
  return CHARGEBACK + acquirerId;
}

export function chargebackNotice(
  chargeId: string,
  acquirerId: string,
  { amount, reason }: { amount: Cents; reason: string },
): DisputeNotice {
  const description = 'the cardholder contests the payment';
  return { chargeId, amount, reason, description, providerReference: chargebackReference(acquirerId) };
}

/** Returns the id of the infraction (MED) that caused a dispute, or null for a dispute with another cause. */
export function infractionOf(reference: string | null): string | null {
  return INFRACTION.exec(reference ?? '')?.[1] ?? null;
}
