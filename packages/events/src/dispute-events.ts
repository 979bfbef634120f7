import { z } from 'zod';
import { cardNames } from './card-names.ts';

const dispute = {
  id: z.uuid(),
  chargeId: z.uuid(),
  paymentMethod: z.enum(['PIX', 'CARD']),
  /** The externalId of the disputed charge; absent in events of release 0.6.0 and before. */
  externalId: z.string().optional(),
  endToEndId: z.string().nullable().optional(),
  ...cardNames,
  metadata: z.record(z.string(), z.string()).optional(),
  /** The disputed amount, at most the part of the charge that is not refunded yet. */
  amount: z.int().positive(),
  reason: z.string(),
  description: z.string(),
  deadline: z.iso.datetime(),
  createdAt: z.iso.datetime(),
};

/**
 * Emitted by the charges service. Each event has the whole dispute, because a consumer may get the last event
 * first. A dispute that the payer cancels (CANCELLED) ends in the merchant's favour.
 */
export const disputeEvents = {
  'dispute.opened': z.object({ ...dispute, status: z.literal('OPEN') }),
  /** The merchant sent evidence, or the provider changed the reason, description or deadline. */
  'dispute.updated': z.object({
    ...dispute,
    status: z.enum(['OPEN', 'UNDER_REVIEW']),
    /** Null: the merchant has sent no evidence. */
    evidenceSentAt: z.iso.datetime().nullable(),
  }),
  'dispute.resolved': z.object({
    ...dispute,
    status: z.enum(['RESOLVED_MERCHANT', 'RESOLVED_CUSTOMER', 'CANCELLED']),
    resolvedAt: z.iso.datetime(),
    resolution: z.string(),
    /** The amount that went back to the payer. Older releases send neither this field nor `debt`. */
    refundedAmount: z.int().nonnegative().optional(),
    /**
     * The part of the refunded amount that the dispute's reserve did not cover. Null when the ledger did not
     * answer.
     */
    debt: z.int().nonnegative().nullable().optional(),
  }),
};
