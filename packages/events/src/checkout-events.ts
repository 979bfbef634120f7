import { z } from 'zod';

const checkout = {
  id: z.uuid(),
  paymentLinkId: z.uuid(),
  /** Names the payment link in addresses. */
  slug: z.string(),
  amount: z.int().positive(),
  /** Shared by all charges that the checkout makes. */
  externalId: z.string(),
};

/** Emitted by the charges service about a buyer's visit to a payment link. For webhooks that name them. */
export const checkoutEvents = {
  'checkout.completed': z.object({
    ...checkout,
    status: z.literal('COMPLETED'),
    chargeId: z.uuid(),
    paymentMethod: z.enum(['PIX', 'CARD']),
    metadata: z.record(z.string(), z.string()),
    paidAt: z.iso.datetime(),
  }),
  /** The checkout was not paid in its time. It is payable as long as its link, and then completes after all. */
  'checkout.expired': z.object({
    ...checkout,
    status: z.literal('EXPIRED'),
    cause: z.enum(['TIME_OVER', 'LINK_EXPIRED', 'LINK_USED_UP']),
    /** Its latest charge, which was not paid. */
    chargeId: z.uuid().nullable(),
    expiredAt: z.iso.datetime(),
  }),
};
