import { z } from 'zod';
import { visibleText } from '../fields.ts';
import { cnpj, email, password, phone } from '../party.ts';

export const registration = z.object({
  email,
  password,
  companyName: visibleText(120).meta({ example: 'Loja do Zé' }),
  cnpj,
  phone,
});
