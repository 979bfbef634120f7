import { z } from 'zod';

const payment = {
  id: z.uuid(),
  paymentMethod: z.literal('PIX'),
  amount: z.int().positive(),
};

/**
 * Emitted by the charges service about an unmatched payment and its return. The payment was late, was a
 * duplicate, had another amount, or named no charge. The merchant is PLATFORM_ID if the payment named no
 * charge of the platform.
 */
export const unexpectedPaymentEvents = {
  'unexpected_payment.received': z.object({ ...payment, paidAt: z.iso.datetime() }),
  'unexpected_payment.returned': z.object({
    ...payment,
    paidAt: z.iso.datetime(),
    returnedAt: z.iso.datetime(),
  }),
  /**
   * Emitted to the merchant whose charge the payment names: when the payment arrives, and when its return
   * ends.
   */
  'payment.unexpected': z.object({
    id: z.uuid(),
    chargeId: z.uuid(),
    /** The payment link of the charge. Absent for other charges, and in events of older releases. */
    paymentLinkId: z.uuid().optional(),
    checkoutId: z.uuid().optional(),
    txid: z.string().nullable(),
    endToEndId: z.string(),
    /** The end-to-end id of the Pix that returned the money; absent in events of release 0.6.0 and before. */
    returnEndToEndId: z.string().nullable().optional(),
    amount: z.int().positive(),
    cause: z.enum(['LATE', 'DUPLICATE', 'WRONG_AMOUNT']),
    status: z.enum(['RETURNING', 'RETURNED', 'RETURN_REFUSED']),
    paidAt: z.iso.datetime(),
    returnedAt: z.iso.datetime().nullable(),
  }),
};
