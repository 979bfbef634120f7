import { fromDecimal } from '@plataforma/kernel';
import { z } from 'zod';

/** PostgreSQL takes no NUL, and half a surrogate pair would not come back as it went in. */
export const text = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine((given) => !given.includes('\0'), 'não respeita o schema')
    .transform((given) => given.toWellFormed());

/** `\d{1,10}\.\d{2}` above zero, in cents. */
export const decimal = z.string().transform((given, context) => {
  const cents = fromDecimal(given);
  if (cents !== null && cents > 0) return cents;
  context.addIssue({ code: 'custom', message: cents === 0 ? 'é zero' : 'não respeita o schema' });
  return z.NEVER;
});
