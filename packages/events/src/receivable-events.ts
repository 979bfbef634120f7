import { z } from 'zod';

/**
 * Emitted by the ledger for each wallet and payment method once a day of São Paulo is over on which receivables settled.
 * A sandbox goes by its own clock.
 */
export const receivableEvents = {
  'receivable.settled': z.object({
    /** Identifies this day, wallet and method. */
    id: z.uuid(),
    date: z.iso.date(),
    paymentMethod: z.enum(['PIX', 'CARD', 'BOLETO']),
    /** Counts the charges. */
    count: z.int().positive(),
    amount: z.int().positive(),
  }),
};
