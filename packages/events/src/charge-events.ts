import { z } from 'zod';
import { cardNames } from './card-names.ts';

const paymentMethod = z.enum(['PIX', 'CARD']);

const charge = {
  id: z.uuid(),
  txid: z.string(),
  externalId: z.string(),
  paymentMethod,
  amount: z.int().positive(),
  feeAmount: z.int().nonnegative(),
  netAmount: z.int().nonnegative(),
  /** The merchant's own data; absent in events of older releases. */
  metadata: z.record(z.string(), z.string()).optional(),
  /** The Pix that paid the charge; absent in events of release 0.6.0 and before. */
  endToEndId: z.string().nullable().optional(),
  ...cardNames,
  /** The payment link and the buyer's checkout that created the charge, if any. */
  paymentLinkId: z.uuid().optional(),
  checkoutId: z.uuid().optional(),
};

/** Emitted by the charges service. Amounts are integer cents, times ISO 8601 UTC. */
export const chargeEvents = {
  /** A live update: a Pix charge waits for its payment. */
  'charge.created': z.object({
    ...charge,
    status: z.literal('PENDING'),
    paidAt: z.null(),
    expiresAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
  }),
  /** A live update: its merchant has cancelled it. */
  'charge.cancelled': z.object({ ...charge, status: z.literal('CANCELLED'), paidAt: z.null() }),
  'charge.paid': z.object({
    ...charge,
    status: z.literal('PAID'),
    paidAt: z.iso.datetime(),
    /** The time at which card money becomes available to the merchant. Null: at once. */
    settlesAt: z.iso.datetime().nullable().default(null),
    /** Shown in the statement only; absent in events of release 0.6.0 and before. */
    payerName: z.string().optional(),
  }),
  'charge.expired': z.object({ ...charge, status: z.literal('EXPIRED'), paidAt: z.null() }),
  'charge.refunded': z.object({
    ...charge,
    status: z.literal('REFUNDED'),
    paidAt: z.iso.datetime(),
    refundedAmount: z.int().positive(),
    refundedAt: z.iso.datetime(),
    refundReason: z.string().nullable(),
    /** Absent in events of release 0.6.0 and before. */
    refund: z
      .object({
        id: z.uuid(),
        amount: z.int().positive(),
        reason: z.string().nullable(),
        status: z.literal('REFUNDED'),
        requestedAt: z.iso.datetime(),
        refundedAt: z.iso.datetime(),
        /** The rtrId of the Pix that returned the money; null for a card. */
        endToEndId: z.string().nullable().optional(),
      })
      .optional(),
  }),
  /**
   * A refund failed, and the response to its request did not report that. The merchant has the money again,
   * and the charge stays PAID.
   */
  'charge.refund_failed': z.object({
    ...charge,
    status: z.literal('PAID'),
    paidAt: z.iso.datetime(),
    refund: z.object({
      id: z.uuid(),
      amount: z.int().positive(),
      reason: z.string().nullable(),
      status: z.literal('FAILED'),
      requestedAt: z.iso.datetime(),
      failedAt: z.iso.datetime(),
      failureReason: z.string(),
    }),
  }),
  /**
   * A refund was recorded, and its money will be taken from the merchant. Only webhooks that list this type
   * get it.
   */
  'refund.created': z.object({
    id: z.uuid(),
    chargeId: z.uuid(),
    status: z.literal('PROCESSING'),
    paymentMethod,
    amount: z.int().positive(),
    reason: z.string().nullable(),
    externalId: z.string(),
    metadata: z.record(z.string(), z.string()),
    requestedAt: z.iso.datetime(),
  }),
  /** The provider refused a refund after the debit of its money, which goes back to the merchant. */
  'refund.refused': z.object({
    id: z.uuid(),
    chargeId: z.uuid(),
    paymentMethod,
    amount: z.int().positive(),
    refusedAt: z.iso.datetime(),
  }),
};
