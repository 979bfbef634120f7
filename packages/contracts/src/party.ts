import {
  hasCnpjShape,
  hasCpfShape,
  normaliseDocument,
  normalisePhone,
  visibleLine,
  withPlainHyphens,
} from '@plataforma/kernel';
import { z } from 'zod';
import { line } from './fields.ts';

/** An e-mail address, converted to lower case. */
export const email = z
  .string()
  .overwrite(withPlainHyphens)
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email('must be an e-mail address'))
  .meta({ minLength: 1, example: 'dono@loja.example' });

/**
 * A CPF or CNPJ (numeric or alphanumeric), with or without punctuation. This schema checks the format only,
 * not the check digits.
 */
export const document = z
  .string()
  .transform(normaliseDocument)
  .refine((value) => hasCpfShape(value) || hasCnpjShape(value), 'must be a CPF (11 digits) or CNPJ (14)')
  .meta({ minLength: 1, example: '12345678909' });

/** A CNPJ, with or without punctuation. */
export const cnpj = z
  .string()
  .transform(normaliseDocument)
  .refine(
    hasCnpjShape,
    'must be a CNPJ of 14 characters: digits, or 12 letters and digits and 2 check digits',
  )
  .meta({
    minLength: 1,
    description: 'Numeric or alphanumeric, with or without punctuation.',
    example: '34665388000161',
  });

/**
 * Keeps letters with their accents, digits and single spaces. A combining mark after a removed character is
 * removed too.
 */
function withoutPunctuation(name: string): string {
  return visibleLine(name)
    .replace(/[^\p{L}\p{M}\p{N}\s]\p{M}*/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}

export const payerName = z
  .string()
  .transform(withoutPunctuation)
  .pipe(z.string().min(1, 'is required').max(120))
  .meta({ minLength: 1, example: 'Maria da Silva' });

/** A phone number with area code. A number without a country code is Brazilian. */
export const phone = line
  .transform((value, context) => {
    const number = normalisePhone(value);
    if (number !== null) return number;
    context.addIssue({ code: 'custom', message: 'must be a phone number with area code' });
    return z.NEVER;
  })
  .meta({
    minLength: 1,
    description:
      'Phone number with area code. A Brazilian number is returned without +55, any other number with + ' +
      'and its country code.',
    example: '11987654321',
  });

/**
 * A password, which is not trimmed. The limit of 1024 bounds the cost of a hash, because argon2 accepts any
 * length.
 */
export const password = z.string().min(8).max(1024);
