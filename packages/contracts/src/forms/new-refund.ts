import { z } from 'zod';
import { optionalText, refundAmount, visibleText } from '../fields.ts';

/** The body of a refund: what goes back to the payer, and why. */
export const newRefund = z.object({
  amount: refundAmount,
  reason: optionalText(visibleText(255)),
});
