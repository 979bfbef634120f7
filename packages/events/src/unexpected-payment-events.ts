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
};
