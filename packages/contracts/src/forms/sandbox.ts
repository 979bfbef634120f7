import { MAX_AMOUNT } from '@plataforma/kernel';
import { z } from 'zod';
import { blankAsAbsent, disputeReasons, optionalText, text, visibleText } from '../fields.ts';

export const MAX_TIMES = 5;

/** The provider faults that one sandbox merchant can set. */
export const providerStates = ['ok', 'slow', 'down', 'unknown'] as const;
export const payoutStates = [...providerStates, 'held'] as const;

export const providerFaultsChange = z
  .object({
    pix: z.enum(providerStates).optional(),
    card: z.enum(providerStates).optional(),
    payout: z.enum(payoutStates).optional(),
  })
  .refine((body) => Object.values(body).some((state) => state !== undefined), {
    message: 'name at least one of pix, card and payout',
  });

export const sandboxPayment = z.object({
  amount: z
    .int()
    .min(1)
    .max(MAX_AMOUNT)
    .optional()
    .meta({ description: 'Amount of each payment in cents. Defaults to the charge’s amount.' }),
  times: z.int().min(1).max(MAX_TIMES).default(1),
  late: z
    .boolean()
    .default(false)
    .meta({
      description:
        'Whether to pay the charge after its end. A PENDING charge is ended first (EXPIRED, ' +
        '`charge.expired`). A PAID, EXPIRED or CANCELLED charge is paid as it is. Without this only a ' +
        'PENDING charge is paid.',
    }),
});

export const sandboxDispute = z.object({
  amount: z
    .int()
    .min(1)
    .max(MAX_AMOUNT)
    .optional()
    .meta({ description: 'Amount in cents. Defaults to the whole amount that was not returned yet.' }),
  reason: z.enum(disputeReasons).default('FRAUD').meta({
    description: 'Reason of the dispute. A Pix can be contested for FRAUD or OPERATIONAL only (MED).',
  }),
  description: optionalText(visibleText(255)).meta({ description: 'Statement of the payer of a Pix.' }),
});

const DECIDED = 'decided in the sandbox';
const reason = blankAsAbsent(visibleText(255).default(DECIDED)).default(DECIDED);

export const sandboxResolution = z.object({
  outcome: z.enum(['MERCHANT', 'CUSTOMER', 'CANCELLED']),
  resolution: reason,
});

/** The body of a command that rejects or returns a sandbox withdrawal. */
export const sandboxRefusal = z.object({ reason });

/** The body of a command that marks a sandbox withdrawal as paid. */
export const sandboxTransfer = z.object({ providerTxId: text(64).default('TED-SANDBOX') });
