import { z } from 'zod';

/**
 * The fields of a card payment at its acquirer. They are null for a Pix, and absent in events of release
 * 0.6.0 and before.
 */
export const cardNames = {
  installments: z.int().positive().nullable().optional(),
  cardBrand: z.string().nullable().optional(),
  nsu: z.string().nullable().optional(),
  authorizationCode: z.string().nullable().optional(),
  acquirerId: z.string().nullable().optional(),
};
