import { z } from 'zod';
import { visibleText } from '../fields.ts';
import { cnpj, email, password, phone } from '../party.ts';

export const registration = z.object({
  email,
  password,
  companyName: visibleText(120).meta({ example: 'Loja do Zé' }),
  cnpj,
  phone,
  acceptedTerms: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional()
    .meta({
      description:
        'Address of the terms that the person accepted. The platform stores it with the time. The pages of ' +
        'an installation with terms send it.',
      example: 'https://pagamentos.example/termos',
    }),
});
