import { MAX_AMOUNT } from '@plataforma/kernel';
import { z } from 'zod';

export const MAX_TIMES = 5;

/** The body of a payment by payers of the sandbox. */
export const sandboxPayment = z.object({
  amount: z
    .int()
    .min(1)
    .max(MAX_AMOUNT)
    .optional()
    .meta({ description: 'Cents, of each payment; the charge’s amount when left out.' }),
  times: z.int().min(1).max(MAX_TIMES).default(1),
  late: z
    .boolean()
    .default(false)
    .meta({
      description:
        'A charge that is PENDING is ended first (EXPIRED, `charge.expired`); one that is PAID, EXPIRED or CANCELLED is paid ' +
        'all the same. Without it only a PENDING one is paid.',
    }),
});
