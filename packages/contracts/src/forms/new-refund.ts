import { z } from 'zod';
import { optionalText, refundAmount, visibleText } from '../fields.ts';

export const newRefund = z.object({
  amount: refundAmount,
  reason: optionalText(visibleText(255)),
});
