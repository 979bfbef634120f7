import { hasCpfShape, isCnpj, isCpf, normalisePixKey, type PixKeyType } from '@plataforma/brcode';
import type { Environment } from '@plataforma/kernel';
import type { Payee } from './destination.ts';

/** Returns a warning if production would refuse this sandbox Pix key, and null otherwise. */
export function warningOfKey(type: PixKeyType, raw: string, environment: Environment): string | null {
  const key = normalisePixKey(type, raw);
  if (environment === 'production' || key === null || (type !== 'CPF' && type !== 'CNPJ')) return null;
  return warningOf('pixKey', key);
}

/** Returns a warning if production would refuse this sandbox payee, and null otherwise. */
export function warningOfPayee(payee: Payee, environment: Environment): string | null {
  if (payee.type === 'PIX') return warningOfKey(payee.pixKeyType, payee.pixKey, environment);
  return environment === 'production' ? null : warningOf('holderDocument', payee.holderDocument);
}

function warningOf(field: string, document: string): string | null {
  if (isCpf(document) || isCnpj(document)) return null;
  const type = hasCpfShape(document) ? 'CPF' : 'CNPJ';
  return `${field}: the check digits of this ${type} are wrong; production refuses it`;
}
