import { z } from 'zod';

export const merchantStatuses = ['PENDING', 'APPROVED', 'REJECTED', 'SUSPENDED'] as const;

const withdrawalLimits = {
  /** The limit for all withdrawals of one day (São Paulo), in cents. Null: no limit. */
  dailyWithdrawalLimit: z.int().nonnegative().nullable(),
  /** Hours during which production pays nothing to a new destination. 0: no waiting time. */
  destinationCooldownHours: z.int().min(0).max(720),
};

/**
 * All merchant data that other services need. `version` increases with every change, and a consumer keeps the
 * data with the highest version.
 */
export const merchantSnapshot = z.object({
  id: z.uuid(),
  version: z.int().positive(),
  name: z.string(),
  /** The CNPJ and the phone number, which the pages of buyers show. An older gateway omits both. */
  cnpj: z.string().optional(),
  phone: z.string().optional(),
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
  /** Whether `settlementDays` counts all days, or only the days on which Brazil's banks settle. */
  settlementCalendar: z.enum(['calendar', 'banking']).default('calendar'),
  /** The fee of each withdrawal, in cents. */
  withdrawalFee: z.int().nonnegative().default(0),
  /**
   * AMOUNT: the fee is part of the ordered amount. BALANCE: the fee is taken from the balance in addition.
   */
  withdrawalFeeMode: z.enum(['AMOUNT', 'BALANCE']).default('AMOUNT'),
  /**
   * The maximum total, in cents, of Pix withdrawals without an approval on one day (São Paulo). 0: each
   * withdrawal needs an approval.
   */
  autoApproveLimit: z.int().nonnegative().default(0),
  dailyWithdrawalLimit: withdrawalLimits.dailyWithdrawalLimit.default(null),
  destinationCooldownHours: withdrawalLimits.destinationCooldownHours.default(0),
  /** The number of new payees that a day's withdrawals may pay without an approval. Null: no limit. */
  newPayeesPerDay: z.int().nonnegative().nullable().default(null),
  /** The limits of withdrawals in the sandbox. Without this field they are the same as in production. */
  sandboxLimits: z.object(withdrawalLimits).optional(),
  /** Milliseconds by which the merchant's sandbox clock is ahead of the real time. The value only grows. */
  sandboxAheadMs: z.int().nonnegative().default(0),
});

export type MerchantSnapshot = z.infer<typeof merchantSnapshot>;

/**
 * A change of a sandbox's clock, for services that store no other data of merchants. Replicas of the previous
 * release do not know this type, but get no such event until a merchant moves a clock.
 */
const clockMoved = merchantSnapshot.pick({ id: true, sandboxAheadMs: true });

/**
 * Emitted by the gateway. Every change of a merchant emits `merchant.updated`. A move of its sandbox clock
 * emits `merchant.clock_moved` in addition.
 */
export const merchantEvents = { 'merchant.updated': merchantSnapshot, 'merchant.clock_moved': clockMoved };
