import { hasCpfShape, isCnpj, isCpf } from '@plataforma/brcode';
import { type Environment, Refusal } from '@plataforma/kernel';

/**
 * Requires a document with correct check digits in production. The sandbox accepts any document with the
 * right format, for tests.
 */
export function requireDocument(document: string, environment: Environment): void {
  if (environment === 'sandbox' || isCpf(document) || isCnpj(document)) return;
  throw new Refusal('invalid', 'VALIDATION_ERROR', 'payerDocument: its check digits are wrong');
}

/** Returns the sandbox's warning about a document that production refuses, or null. */
export function warningOf(document: string, environment: Environment): string | null {
  if (environment === 'production' || isCpf(document) || isCnpj(document)) return null;
  const type = hasCpfShape(document) ? 'CPF' : 'CNPJ';
  return `payerDocument: the check digits of this ${type} are wrong; production refuses it`;
}
