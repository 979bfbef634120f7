import { z } from 'zod';
import { cardNames } from './card-names.ts';

const dispute = {
  id: z.uuid(),
  chargeId: z.uuid(),
  paymentMethod: z.enum(['PIX', 'CARD']),
  /** Names the disputed charge; absent in events of release 0.6.0 and before. */
  externalId: z.string().optional(),
  endToEndId: z.string().nullable().optional(),
  ...cardNames,
  metadata: z.record(z.string(), z.string()).optional(),
  /** At most what of the charge had not been returned yet. */
  amount: z.int().positive(),
  reason: z.string(),
  description: z.string(),
  deadline: z.iso.datetime(),
  createdAt: z.iso.datetime(),
};

/**
 * Emitted by the charges service. Each tells the whole dispute, so that a reader who hears of its end first knows
 * how it began. CANCELLED by the payer is an end in the merchant's favour.
 */
export const disputeEvents = {
  'dispute.opened': z.object({ ...dispute, status: z.literal('OPEN') }),
  /** Evidence was sent, or the provider changed its reason, description or deadline. */
  'dispute.updated': z.object({
    ...dispute,
    status: z.enum(['OPEN', 'UNDER_REVIEW']),
    /** Null: no evidence was sent. */
    evidenceSentAt: z.iso.datetime().nullable(),
  }),
  'dispute.resolved': z.object({
    ...dispute,
    status: z.enum(['RESOLVED_MERCHANT', 'RESOLVED_CUSTOMER', 'CANCELLED']),
    resolvedAt: z.iso.datetime(),
    resolution: z.string(),
    /** The amount that went back to the payer; older releases announce neither. */
    refundedAmount: z.int().nonnegative().optional(),
    /** The part that the reserve lacked; null when the books did not answer. */
    debt: z.int().nonnegative().nullable().optional(),
  }),
};
