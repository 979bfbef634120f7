import { z } from 'zod';
import { id, timestamp } from './fields.ts';

const charge = {
  id,
  txid: z.string(),
  amount: z.int(),
  netAmount: z.int(),
  feeAmount: z.int(),
};

const dispute = { id, chargeId: id, amount: z.int(), reason: z.string(), description: z.string() };

/** The `data` of each event a merchant receives, exactly the promised fields. */
export const webhookEvents = {
  'charge.paid': z.object({
    ...charge,
    status: z.literal('PAID'),
    paidAt: timestamp,
    externalId: z.string(),
  }),
  'charge.refunded': z.object({
    ...charge,
    status: z.literal('REFUNDED'),
    paidAt: timestamp,
    refundedAmount: z.int(),
    refundReason: z.string().nullable(),
    externalId: z.string(),
  }),
  'charge.expired': z.object({
    ...charge,
    status: z.literal('EXPIRED'),
    paidAt: z.null(),
    externalId: z.string(),
  }),
  'dispute.opened': z.object({
    ...dispute,
    status: z.literal('OPEN'),
    deadline: timestamp,
    createdAt: timestamp,
  }),
  'dispute.resolved': z.object({
    ...dispute,
    status: z.enum(['RESOLVED_MERCHANT', 'RESOLVED_CUSTOMER', 'CANCELLED']),
    deadline: timestamp,
    createdAt: timestamp,
    resolvedAt: timestamp,
    resolution: z.string(),
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
