import { Refusal } from '@plataforma/kernel';

/** The code or its signature is wrong, or its charge can't be paid any more. */
export function invalidCode(reason: string): Refusal {
  return new Refusal('unprocessable', 'INVALID_QR_CODE', reason);
}

/** The charge behind the code can't be had. */
export function unresolvable(reason: string): Refusal {
  return new Refusal('unprocessable', 'QR_CODE_UNRESOLVABLE', reason);
}
