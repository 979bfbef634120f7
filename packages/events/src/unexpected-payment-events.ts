import { z } from 'zod';

const payment = {
  id: z.uuid(),
  paymentMethod: z.literal('PIX'),
  amount: z.int().positive(),
};

/**
 * Emitted by the charges service: money that came and paid nothing (late, second, of another amount, for a charge
 * nobody knows), and its way back. Their merchant is PLATFORM_ID when the payment names no charge of ours.
 */
export const unexpectedPaymentEvents = {
  'unexpected_payment.received': z.object({ ...payment, paidAt: z.iso.datetime() }),
  'unexpected_payment.returned': z.object({
    ...payment,
    paidAt: z.iso.datetime(),
    returnedAt: z.iso.datetime(),
  }),
  /** For the merchant whose charge the money names: when it came, and when its way back has ended. */
  'payment.unexpected': z.object({
    id: z.uuid(),
    chargeId: z.uuid(),
    /** Set for a charge of a payment link; an older release announces none. */
    paymentLinkId: z.uuid().optional(),
    checkoutId: z.uuid().optional(),
    txid: z.string().nullable(),
    endToEndId: z.string(),
    /** The end-to-end id of the Pix that returned it; absent in events of release 0.6.0 and before. */
    returnEndToEndId: z.string().nullable().optional(),
    amount: z.int().positive(),
    cause: z.enum(['LATE', 'DUPLICATE', 'WRONG_AMOUNT']),
    status: z.enum(['RETURNING', 'RETURNED', 'RETURN_REFUSED']),
    paidAt: z.iso.datetime(),
    returnedAt: z.iso.datetime().nullable(),
  }),
};
