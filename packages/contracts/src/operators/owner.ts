import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import { id } from '../fields.ts';

/**
 * The merchant and the environment of a row. Operators need both, because their lists contain all merchants
 * and environments.
 */
export const owner = { merchantId: id, environment: z.enum(environments) };

/** The merchant and the environment as filters of a query. */
export const ofOwner = {
  merchantId: z.uuid().optional(),
  environment: z.enum(environments).optional(),
};
