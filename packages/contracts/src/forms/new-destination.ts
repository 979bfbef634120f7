import { withPlainHyphens } from '@plataforma/kernel';
import { z } from 'zod';
import { optionalText, pixKey, pixKeyType, visibleText } from '../fields.ts';
import { document } from '../party.ts';

/**
 * Returns the schema of an account number. It removes blanks and dots, and keeps the hyphen before a check
 * digit.
 */
function accountNumber(shape: RegExp, reason: string) {
  return z
    .string()
    .transform((value) => withPlainHyphens(value).replace(/[\s.]/g, '').toUpperCase())
    .refine((value) => shape.test(value), reason);
}

export const accountTypes = ['CHECKING', 'SAVINGS'] as const;

const bankAccount = {
  bankCode: z
    .string()
    .overwrite(withPlainHyphens)
    .trim()
    .refine((value) => /^\d{3}$/.test(value), 'must be the bank’s COMPE code of 3 digits')
    .meta({ minLength: 1, example: '341' }),
  branch: accountNumber(
    /^\d{1,5}(-[\dX])?$/,
    'must be 1 to 5 digits, and a check digit after a hyphen if it has one',
  ).meta({ minLength: 1, example: '0001' }),
  account: accountNumber(
    /^(?=[\dX-]{1,21}$)(\d{1,20}|\d{1,19}-?[\dX])$/,
    'must be 1 to 20 digits, of which the last may be an X or stand after a hyphen',
  ).meta({ minLength: 1, example: '123456-7' }),
  accountType: z.enum(accountTypes),
  holderName: visibleText(120).meta({ example: 'Maria da Silva' }),
  holderDocument: document,
};

const label = optionalText(visibleText(60)).meta({
  description: 'Your own name for the destination.',
  example: 'Fornecedor',
});

export const newDestination = z
  .discriminatedUnion(
    'type',
    [
      z.object({ type: z.literal('PIX'), pixKeyType, pixKey, label }).meta({ id: 'NewPixDestination' }),
      z.object({ type: z.literal('BANK_ACCOUNT'), ...bankAccount, label }).meta({ id: 'NewBankDestination' }),
    ],
    { error: 'must be PIX or BANK_ACCOUNT' },
  )
  .meta({ id: 'NewDestination' });
