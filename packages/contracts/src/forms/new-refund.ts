import { z } from 'zod';
import { refundAmount, text } from '../fields.ts';

/** The body of a refund: what goes back to the payer, and why. */
export const newRefund = z.object({
  amount: refundAmount,
  reason: text(255).optional(),
});
