import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import { id } from '../fields.ts';

/** The owner of a row, which operators need because they see all merchants and both environments. */
export const owner = { merchantId: id, environment: z.enum(environments) };

/** The same fields as filters of a query. */
export const ofOwner = {
  merchantId: z.uuid().optional(),
  environment: z.enum(environments).optional(),
};
