import { z } from 'zod';

/**
 * Emitted by the ledger for each wallet, payment method and due day of receivables once that day of São Paulo is over and
 * all of them have settled; again, with the new sum, when others of the day settle later. A sandbox goes by its own clock.
 */
export const receivableEvents = {
  'receivable.settled': z.object({
    /** Identifies this day, wallet and method. */
    id: z.uuid(),
    date: z.iso.date(),
    timeZone: z.literal('America/Sao_Paulo'),
    paymentMethod: z.enum(['PIX', 'CARD', 'BOLETO']),
    /** Counts the charges. */
    count: z.int().positive(),
    amount: z.int().positive(),
  }),
};
