import { withPlainHyphens } from '@plataforma/kernel/characters';
import { hasCnpjShape, hasCpfShape, isCpf, normaliseDocument } from '@plataforma/kernel/documents';
import { normalisePhone } from '@plataforma/kernel/phones';

export type PixKeyType = 'CPF' | 'CNPJ' | 'EMAIL' | 'PHONE' | 'EVP';

const MAX_KEY_LENGTH = 77;
const EMAIL_LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const EMAIL = new RegExp(`^[a-z0-9.!#$&'*+/=?^_\`{|}~-]+@${EMAIL_LABEL}(?:\\.${EMAIL_LABEL})*$`);
const EVP = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const BRAZILIAN_PHONE = /^\+55[1-9][1-9]\d{8,9}$/;
const FOREIGN_PHONE = /^\+(?!55)[1-9]\d{6,14}$/;
const NATIONAL_NUMBER = /^\d{10,11}$/;
const NUMBER_WITH_COUNTRY = /^55\d{10,11}$/;

/**
 * Returns the key as the DICT stores it, or null when the text cannot be a key of that type. Source: DICT
 * 1.8.0, tag Key; MPI 2.10.0 §2.5.1. CPF and CNPJ lose their mask, e-mail and EVP become lower case, and a
 * phone becomes E.164, with `+55` before a number without a country. Does not verify check digits, nor that
 * the key exists.
 */
export function normalisePixKey(type: PixKeyType, raw: string): string | null {
  const key = NORMALISERS[type](raw);
  return key !== null && key.length <= MAX_KEY_LENGTH ? key : null;
}

/**
 * Returns the type of an unmasked key by its shape, or null. Eleven bare digits are a CPF, because a phone
 * starts with `+`. Ignores letter case, because old codes have EVPs in capitals. The caller must normalise
 * the key with `normalisePixKey` before use.
 */
export function pixKeyTypeOf(key: string): PixKeyType | null {
  if (key.includes('@')) return isSameKey('EMAIL', key) ? 'EMAIL' : null;
  if (key.startsWith('+')) return isSameKey('PHONE', key) ? 'PHONE' : null;
  if (isSameKey('CPF', key)) return 'CPF';
  if (isSameKey('CNPJ', key)) return 'CNPJ';
  return isSameKey('EVP', key) ? 'EVP' : null;
}

const MASKED_CPF = /^\d{3}\.\d{3}\.\d{3}-\d{2}$/;
const MOBILE = /^[1-9][1-9]9\d{8}$/;

/**
 * Returns the types that a key may have while a person types it, or an empty list if no type fits yet. Eleven
 * digits may be a CPF, a mobile number or both. If they are neither, the result is CPF, so that the error can
 * name the wrong digits.
 */
export function possiblePixKeyTypes(typed: string): readonly PixKeyType[] {
  const text = withPlainHyphens(typed).trim();
  const types = (['EMAIL', 'EVP', 'CPF', 'CNPJ', 'PHONE'] as const).filter(
    (type) => normalisePixKey(type, text) !== null,
  );
  const digits = normaliseDocument(text);
  if (!types.includes('CPF')) return types.slice(0, 1);
  if (MASKED_CPF.test(text) || !MOBILE.test(digits)) return ['CPF'];
  return isCpf(digits) && !text.startsWith('(') ? ['CPF', 'PHONE'] : ['PHONE'];
}

function isSameKey(type: PixKeyType, key: string): boolean {
  return normalisePixKey(type, key)?.toLowerCase() === key.toLowerCase();
}

const NORMALISERS: Record<PixKeyType, (raw: string) => string | null> = {
  CPF: (raw) => only(hasCpfShape, normaliseDocument(raw)),
  CNPJ: (raw) => only(hasCnpjShape, normaliseDocument(raw)),
  EMAIL: (raw) => only((text) => EMAIL.test(text), lowerCase(raw)),
  PHONE: normalisePhoneKey,
  EVP: (raw) => only((text) => EVP.test(text), lowerCase(raw)),
};

function lowerCase(raw: string): string {
  return withPlainHyphens(raw).trim().toLowerCase();
}

function only(isKey: (text: string) => boolean, text: string): string | null {
  return isKey(text) ? text : null;
}

function normalisePhoneKey(raw: string): string | null {
  const number = withCountry(normalisePhone(raw) ?? '');
  return BRAZILIAN_PHONE.test(number) || FOREIGN_PHONE.test(number) ? number : null;
}

function withCountry(number: string): string {
  if (NATIONAL_NUMBER.test(number)) return `+55${number}`;
  return NUMBER_WITH_COUNTRY.test(number) ? `+${number}` : number;
}
