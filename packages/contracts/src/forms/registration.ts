import { z } from 'zod';
import { email, phone, text } from '../fields.ts';

/** A password is taken as it is typed: nothing is trimmed. argon2 would hash any length; 1024 bounds its cost. */
const password = z.string().min(8).max(1024);

/** The body of a registration. */
export const registration = z.object({
  email,
  password,
  companyName: text(120).meta({ example: 'Loja do Zé' }),
  cnpj: z
    .string()
    .transform((value) => value.replace(/[.\-/\s]/g, ''))
    .refine((value) => /^\d{14}$/.test(value), 'must have 14 digits')
    .meta({ minLength: 1, example: '34665388000161' }),
  phone,
});
