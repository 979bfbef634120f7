import { z } from 'zod';

const checkout = {
  id: z.uuid(),
  paymentLinkId: z.uuid(),
  /** The payment link's name in addresses. */
  slug: z.string(),
  amount: z.int().positive(),
  externalId: z.string(),
};

/**
 * Emitted by the charges service about a buyer's visit to a payment link. Only webhooks that list these types
 * receive them.
 */
export const checkoutEvents = {
  'checkout.completed': z.object({
    ...checkout,
    status: z.literal('COMPLETED'),
    chargeId: z.uuid(),
    paymentMethod: z.enum(['PIX', 'CARD']),
    metadata: z.record(z.string(), z.string()),
    paidAt: z.iso.datetime(),
  }),
  /**
   * The buyer did not pay the checkout in time. The checkout can be paid as long as its link accepts
   * payments, so `checkout.completed` may still follow.
   */
  'checkout.expired': z.object({
    ...checkout,
    status: z.literal('EXPIRED'),
    cause: z.enum(['TIME_OVER', 'LINK_EXPIRED', 'LINK_USED_UP']),
    /** The latest charge of the checkout, which is unpaid. Null when the buyer began no payment. */
    chargeId: z.uuid().nullable(),
    expiredAt: z.iso.datetime(),
  }),
};
