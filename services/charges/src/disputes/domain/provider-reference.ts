import type { Environment } from '@plataforma/kernel';

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

/** The id of the infraction (MED) that a dispute came from; null for disputes of other origin. */
export function infractionOf(reference: string | null): string | null {
  return INFRACTION.exec(reference ?? '')?.[1] ?? null;
}
