import { fromDecimal } from '@plataforma/kernel';
import { z } from 'zod';

/**
 * Refuses the character NUL, which PostgreSQL can't store. Replaces unpaired surrogates, which can't be
 * encoded in UTF-8.
 */
export const text = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine((given) => !given.includes('\0'), 'não respeita o schema')
    .transform((given) => given.toWellFormed());

/** Parses an amount greater than zero in the format `\d{1,10}\.\d{2}`, and returns the amount in cents. */
export const decimal = z.string().transform((given, context) => {
  const cents = fromDecimal(given);
  if (cents !== null && cents > 0) return cents;
  context.addIssue({ code: 'custom', message: cents === 0 ? 'é zero' : 'não respeita o schema' });
  return z.NEVER;
});
