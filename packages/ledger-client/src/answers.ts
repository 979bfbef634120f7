import { Refusal } from '@plataforma/kernel';

/** Nothing definite was heard of the ledger: it may have done what it was asked, or not. */
export function unavailable(): Refusal {
  const message = 'the ledger does not answer as it should; try again';
  return new Refusal('unavailable', 'SERVICE_UNAVAILABLE', message);
}
