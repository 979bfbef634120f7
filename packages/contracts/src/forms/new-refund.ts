import { MAX_AMOUNT } from '@plataforma/kernel';
import { z } from 'zod';
import { text } from '../fields.ts';

/** The body of a refund: what goes back to the payer, and why. */
export const newRefund = z.object({
  amount: z
    .int()
    .min(1)
    .max(MAX_AMOUNT)
    .optional()
    .meta({ description: 'Cents; at most the charge’s amount. The net amount when left out.' }),
  reason: text(255).optional(),
});
