import { Refusal } from '@plataforma/kernel';

/** Returns SERVICE_UNAVAILABLE for an unknown outcome. The ledger may have processed the request. */
export function unavailable(): Refusal {
  const message = 'the ledger does not answer as it should; try again';
  return new Refusal('unavailable', 'SERVICE_UNAVAILABLE', message);
}
