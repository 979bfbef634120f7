import { isCnpj, isCpf } from '@plataforma/brcode';
import { type Environment, Refusal } from '@plataforma/kernel';

/**
 * Production takes only documents that can exist; the sandbox takes any of the right form, to try things
 * with.
 */
export function demandDocument(document: string, environment: Environment): void {
  if (environment === 'sandbox' || isCpf(document) || isCnpj(document)) return;
  throw new Refusal('invalid', 'VALIDATION_ERROR', 'payerDocument: its check digits are wrong');
}
