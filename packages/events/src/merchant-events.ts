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
  cardFeeBps: z.int().min(0).max(10_000).default(0),
  cardFeeFixed: z.int().nonnegative().default(0),
  cardEnabled: z.boolean().default(false),
  maxInstallments: z.int().min(1).max(18).default(12),
  /** Days from a card payment until its money is available. */
  settlementDays: z.int().min(0).max(365).default(30),
});

export type MerchantSnapshot = z.infer<typeof merchantSnapshot>;

/** Emitted by the gateway, for every change of a merchant. */
export const merchantEvents = { 'merchant.updated': merchantSnapshot };
