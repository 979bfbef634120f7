import { z } from 'zod';
import { visibleText } from '../fields.ts';
import { cnpj, email, phone } from '../party.ts';

/** A password is taken as it is typed: nothing is trimmed. argon2 would hash any length; 1024 bounds its cost. */
export const password = z.string().min(8).max(1024);

/** The body of a registration. */
export const registration = z.object({
  email,
  password,
  companyName: visibleText(120).meta({ example: 'Loja do Zé' }),
  cnpj,
  phone,
});
