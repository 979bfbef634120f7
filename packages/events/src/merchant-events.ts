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
  /** Counts all days, or those on which Brazil's banks settle. */
  settlementCalendar: z.enum(['calendar', 'banking']).default('calendar'),
  /** Cents for each withdrawal. */
  withdrawalFee: z.int().nonnegative().default(0),
  /** AMOUNT: the fee is a part of what is ordered. BALANCE: it is taken on top of it. */
  withdrawalFeeMode: z.enum(['AMOUNT', 'BALANCE']).default('AMOUNT'),
  /** Pix withdrawals up to this need nobody's approval; 0: all do. */
  autoApproveLimit: z.int().nonnegative().default(0),
  /** Cents of all withdrawals of a day of São Paulo; null: no limit. */
  dailyWithdrawalLimit: z.int().nonnegative().nullable().default(null),
  /** For how long a destination is new: until then production pays nothing to it. 0: none is ever new. */
  destinationCooldownHours: z.int().min(0).max(720).default(0),
  /** By how much the merchant has moved the clock of its sandbox ahead of the real time. It only grows. */
  sandboxAheadMs: z.int().nonnegative().default(0),
});

export type MerchantSnapshot = z.infer<typeof merchantSnapshot>;

/**
 * For who keeps no merchants: of their changes only that of a clock, so that replicas of a release before hear of none
 * while no clock is moved.
 */
const clockMoved = merchantSnapshot.pick({ id: true, sandboxAheadMs: true });

/** Emitted by the gateway: for every change of a merchant, and for each move of its sandbox's clock beside that. */
export const merchantEvents = { 'merchant.updated': merchantSnapshot, 'merchant.clock_moved': clockMoved };
