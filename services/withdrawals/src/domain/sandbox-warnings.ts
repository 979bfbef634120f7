import { hasCpfShape, isCnpj, isCpf, normalisePixKey, type PixKeyType } from '@plataforma/brcode';
import type { Environment } from '@plataforma/kernel';
import type { Target } from './destination.ts';

/** What the sandbox says of a Pix key that production refuses; null: nothing. */
export function warningOfKey(type: PixKeyType, raw: string, environment: Environment): string | null {
  const key = normalisePixKey(type, raw);
  if (environment === 'production' || key === null || (type !== 'CPF' && type !== 'CNPJ')) return null;
  return warningOf('pixKey', key);
}

/** The same of what a destination names. */
export function warningOfTarget(target: Target, environment: Environment): string | null {
  if (target.type === 'PIX') return warningOfKey(target.pixKeyType, target.pixKey, environment);
  return environment === 'production' ? null : warningOf('holderDocument', target.holderDocument);
}

function warningOf(field: string, document: string): string | null {
  if (isCpf(document) || isCnpj(document)) return null;
  const type = hasCpfShape(document) ? 'CPF' : 'CNPJ';
  return `${field}: the check digits of this ${type} are wrong; production refuses it`;
}
