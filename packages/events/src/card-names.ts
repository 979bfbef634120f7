import { z } from 'zod';

/** A card payment at its acquirer. Null for Pix; absent in events of release 0.6.0 and before. */
export const cardNames = {
  installments: z.int().positive().nullable().optional(),
  cardBrand: z.string().nullable().optional(),
  nsu: z.string().nullable().optional(),
  authorizationCode: z.string().nullable().optional(),
  acquirerId: z.string().nullable().optional(),
};
