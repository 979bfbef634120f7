import { isCnpj, isCpf, normalisePixKey, type PixKeyType } from '@plataforma/brcode';
import { type Environment, Refusal } from '@plataforma/kernel';

const SHAPES: Record<PixKeyType, string> = {
  CPF: 'must be a CPF of 11 digits',
  CNPJ: 'must be a CNPJ of 14 characters',
  EMAIL: 'must be an e-mail address of at most 77 characters',
  PHONE: 'must be a phone number with area code',
  EVP: 'must be a random key such as 123e4567-e12b-12d1-a456-426655440000',
};

/**
 * Returns the Pix key in the format of the DICT. Throws VALIDATION_ERROR if the key is malformed. Only
 * production verifies the check digits of a CPF or CNPJ.
 */
export function readPixKey(type: PixKeyType, raw: string, environment: Environment): string {
  const key = normalisePixKey(type, raw);
  if (key === null) throw wrongKey(SHAPES[type]);
  if (environment === 'production' && !canExist(type, key)) throw wrongKey('its check digits are wrong');
  return key;
}

function canExist(type: PixKeyType, key: string): boolean {
  if (type === 'CPF') return isCpf(key);
  return type !== 'CNPJ' || isCnpj(key);
}

function wrongKey(reason: string): Refusal {
  return new Refusal('invalid', 'VALIDATION_ERROR', `pixKey: ${reason}`);
}
