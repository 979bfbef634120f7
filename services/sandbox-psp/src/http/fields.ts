import { fromDecimal } from '@plataforma/kernel';
import { z } from 'zod';

/** Refuses NUL, which PostgreSQL can't store, and replaces lone surrogates, which would not survive UTF-8. */
export const text = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine((given) => !given.includes('\0'), 'não respeita o schema')
    .transform((given) => given.toWellFormed());

/** Parses `\d{1,10}\.\d{2}` above zero to cents. */
export const decimal = z.string().transform((given, context) => {
  const cents = fromDecimal(given);
  if (cents !== null && cents > 0) return cents;
  context.addIssue({ code: 'custom', message: cents === 0 ? 'é zero' : 'não respeita o schema' });
  return z.NEVER;
});
