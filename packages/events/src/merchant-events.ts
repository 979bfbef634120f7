import { z } from 'zod';

export const merchantStatuses = ['PENDING', 'APPROVED', 'REJECTED', 'SUSPENDED'] as const;

/**
 * All that other services need to know of a merchant, as a whole. `version` counts up with every change:
 * a receiver keeps the highest it has seen.
 */
export const merchantSnapshot = z.object({
  id: z.uuid(),
  version: z.int().positive(),
  name: z.string(),
  status: z.enum(merchantStatuses),
  checkoutColor: z.string(),
  pixFeeBps: z.int().min(0).max(10_000),
  pixFeeFixed: z.int().nonnegative(),
});

export type MerchantSnapshot = z.infer<typeof merchantSnapshot>;

/** Emitted by the gateway, for every change of a merchant. */
export const merchantEvents = { 'merchant.updated': merchantSnapshot };
