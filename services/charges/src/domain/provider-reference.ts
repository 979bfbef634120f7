const INFRACTION = 'infraction:';
const CHARGEBACK = 'chargeback:';

/** A dispute's name at whoever opened it, so that hearing of it twice opens it once. */
export function infractionReference(id: string): string {
  return INFRACTION + id;
}

export function chargebackReference(acquirerId: string): string {
  return CHARGEBACK + acquirerId;
}

/** The id of the infraction (MED) that a dispute came from; null for disputes of other origin. */
export function infractionOf(reference: string | null): string | null {
  return reference?.startsWith(INFRACTION) ? reference.slice(INFRACTION.length) : null;
}
