import { Refusal } from '@plataforma/kernel';

export function invalidCode(reason: string): Refusal {
  return new Refusal('unprocessable', 'INVALID_QR_CODE', reason);
}

/** The charge of the code cannot be fetched. */
export function unresolvable(reason: string): Refusal {
  return new Refusal('unprocessable', 'QR_CODE_UNRESOLVABLE', reason);
}
