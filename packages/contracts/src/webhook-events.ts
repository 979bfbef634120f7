import { z } from 'zod';
import { id, timestamp } from './fields.ts';

const charge = {
  id,
  txid: z.string(),
  amount: z.int(),
  netAmount: z.int(),
  feeAmount: z.int(),
};

/** The `data` of each event a merchant receives, exactly the promised fields. */
export const webhookEvents = {
  'charge.paid': z.object({
    ...charge,
    status: z.literal('PAID'),
    paidAt: timestamp,
    externalId: z.string(),
  }),
  'charge.expired': z.object({
    ...charge,
    status: z.literal('EXPIRED'),
    paidAt: z.null(),
    externalId: z.string(),
  }),
};

export type WebhookEventType = keyof typeof webhookEvents;

/**
 * All event names a configuration may filter by. Those without a schema above are promised and can be chosen;
 * nothing emits them yet.
 */
export const webhookEventTypes = [
  'charge.paid',
  'charge.refunded',
  'charge.expired',
  'dispute.opened',
  'dispute.resolved',
  'withdrawal.completed',
  'withdrawal.failed',
  'withdrawal.rejected',
] as const;
