import { Refusal } from '@plataforma/kernel';

/**
 * Returns the error SERVICE_UNAVAILABLE for a request with an unknown outcome: the ledger may have processed
 * the request.
 */
export function unavailable(): Refusal {
  const message = 'the ledger sent an unusable answer; try again';
  return new Refusal('unavailable', 'SERVICE_UNAVAILABLE', message);
}
