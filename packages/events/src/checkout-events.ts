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
 * get them.
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
  /** The checkout was not paid in time. It stays payable as long as its link, and may still complete. */
  'checkout.expired': z.object({
    ...checkout,
    status: z.literal('EXPIRED'),
    cause: z.enum(['TIME_OVER', 'LINK_EXPIRED', 'LINK_USED_UP']),
    /** The latest unpaid charge. */
    chargeId: z.uuid().nullable(),
    expiredAt: z.iso.datetime(),
  }),
};
