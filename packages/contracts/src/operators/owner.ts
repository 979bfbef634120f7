import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import { id } from '../fields.ts';

/** Names the owner, because operators see all merchants and both environments. */
export const owner = { merchantId: id, environment: z.enum(environments) };

/** The same in a query. */
export const ofOwner = {
  merchantId: z.uuid().optional(),
  environment: z.enum(environments).optional(),
};
