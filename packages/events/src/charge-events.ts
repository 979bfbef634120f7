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
  /** The merchant's own; an older release announces none. */
  metadata: z.record(z.string(), z.string()).optional(),
  /** Names the Pix that paid it; absent in events of release 0.6.0 and before. */
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
    /** When card money becomes available to the merchant; null: at once. */
    settlesAt: z.iso.datetime().nullable().default(null),
    /** For the statement alone; absent in events of release 0.6.0 and before. */
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
        /** The rtrId of the Pix that returned it; null of a card. */
        endToEndId: z.string().nullable().optional(),
      })
      .optional(),
  }),
  /** A refund came to nothing that was not refused at once: its money is the merchant's again, the charge PAID as before. */
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
  /** A refund was recorded: its money is about to be taken from the merchant. For webhooks that name it. */
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
  /** The provider did not return money that had been taken from the merchant for it: it is the merchant's again. */
  'refund.refused': z.object({
    id: z.uuid(),
    chargeId: z.uuid(),
    paymentMethod,
    amount: z.int().positive(),
    refusedAt: z.iso.datetime(),
  }),
};
