import { hasCpfShape, isCnpj, isCpf } from '@plataforma/brcode';
import type { Environment } from '@plataforma/kernel';

/** What the sandbox says of a payer's document that production refuses; null: nothing. */
export function warningOf(document: string, environment: Environment): string | null {
  if (environment === 'production' || isCpf(document) || isCnpj(document)) return null;
  const type = hasCpfShape(document) ? 'CPF' : 'CNPJ';
  return `payerDocument: the check digits of this ${type} are wrong; production refuses it`;
}
