import { MAX_AMOUNT } from '@plataforma/kernel';
import { z } from 'zod';
import { blankAsAbsent, disputeReasons, optionalText, text, visibleText } from '../fields.ts';

export const MAX_TIMES = 5;

/** How a provider behaves towards one merchant of the sandbox. */
export const providerStates = ['ok', 'slow', 'down', 'unknown'] as const;
export const payoutStates = [...providerStates, 'held'] as const;

/** The body that changes a merchant’s provider faults. */
export const providerFaultsChange = z
  .object({
    pix: z.enum(providerStates).optional(),
    card: z.enum(providerStates).optional(),
    payout: z.enum(payoutStates).optional(),
  })
  .refine((body) => Object.values(body).some((state) => state !== undefined), {
    message: 'name at least one of pix, card and payout',
  });

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

/** The body with which a payer of the sandbox contests a charge. */
export const sandboxDispute = z.object({
  amount: z
    .int()
    .min(1)
    .max(MAX_AMOUNT)
    .optional()
    .meta({ description: 'Cents; all that was not returned yet when left out.' }),
  reason: z
    .enum(disputeReasons)
    .default('FRAUD')
    .meta({ description: 'A Pix is contested for FRAUD or OPERATIONAL only (MED).' }),
  description: optionalText(visibleText(255)).meta({ description: 'What the payer of a Pix says.' }),
});

const DECIDED = 'decided in the sandbox';
const reason = blankAsAbsent(visibleText(255).default(DECIDED)).default(DECIDED);

/** The body with which a dispute of the sandbox ends. */
export const sandboxResolution = z.object({
  outcome: z.enum(['MERCHANT', 'CUSTOMER', 'CANCELLED']),
  resolution: reason,
});

/** The body with which a withdrawal of the sandbox is rejected, or comes back. */
export const sandboxRefusal = z.object({ reason });

/** The body with which a withdrawal of the sandbox is paid. */
export const sandboxTransfer = z.object({ providerTxId: text(64).default('TED-SANDBOX') });
