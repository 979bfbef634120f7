import { Refusal } from '@plataforma/kernel';

export function invalidCode(reason: string): Refusal {
  return new Refusal('unprocessable', 'INVALID_QR_CODE', reason);
}

/** Returns the error for a QR code whose charge cannot be fetched from the bank. */
export function unresolvable(reason: string): Refusal {
  return new Refusal('unprocessable', 'QR_CODE_UNRESOLVABLE', reason);
}
