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
  /** Data of the merchant's choice; absent in events of older releases. */
  metadata: z.record(z.string(), z.string()).optional(),
  /** The end-to-end id of the Pix that paid the charge; absent in events of release 0.6.0 and before. */
  endToEndId: z.string().nullable().optional(),
  ...cardNames,
  /** The payment link at which the charge was created; absent for other charges. */
  paymentLinkId: z.uuid().optional(),
  /** The buyer's checkout that created the charge; absent for other charges. */
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
  /** A live update: a pending charge was cancelled. */
  'charge.cancelled': z.object({ ...charge, status: z.literal('CANCELLED'), paidAt: z.null() }),
  'charge.paid': z.object({
    ...charge,
    status: z.literal('PAID'),
    paidAt: z.iso.datetime(),
    /**
     * The time at which card money becomes available to the merchant. Null: the money is available at once.
     */
    settlesAt: z.iso.datetime().nullable().default(null),
    /** The payer's name, for the account statement only; absent in events of release 0.6.0 and before. */
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
    /** The refund of the charge; absent in events of release 0.6.0 and before. */
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
   * A refund failed, and the response to its request did not report the failure. The merchant has the money
   * again, and the charge stays PAID.
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
   * receive the event.
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
  /**
   * The provider refused a refund whose money was already debited. The ledger returns the money to the
   * merchant.
   */
  'refund.refused': z.object({
    id: z.uuid(),
    chargeId: z.uuid(),
    paymentMethod,
    amount: z.int().positive(),
    refusedAt: z.iso.datetime(),
  }),
};
