import { z } from 'zod';

const withdrawal = {
  id: z.uuid(),
  /** The ordered amount: `netAmount` goes to the payee and `fee` to the platform. */
  amount: z.int().positive(),
  fee: z.int().nonnegative(),
  netAmount: z.int().positive(),
  method: z.enum(['PIX', 'TED']),
  /** Null: the payout goes to a bank account. */
  pixKey: z.string().nullable(),
  pixKeyType: z.string().nullable(),
  /** Null: the payout goes to a Pix key. Events of the previous release lack this field and `externalId`. */
  bankAccount: z
    .object({
      bankCode: z.string(),
      branch: z.string(),
      account: z.string(),
      accountType: z.enum(['CHECKING', 'SAVINGS']),
      holderName: z.string(),
      holderDocument: z.string(),
    })
    .nullable()
    .default(null),
  /** The merchant's own id of the withdrawal. */
  externalId: z.string().nullable().default(null),
  createdAt: z.iso.datetime(),
};

/**
 * Emitted by the withdrawals service, each at most once, with one final event per withdrawal. Except for
 * `withdrawal.abandoned`, the money was debited before the event. A completed withdrawal spends the money;
 * any other end returns the money to the merchant. Amounts are integer cents, times ISO 8601 UTC.
 */
export const withdrawalEvents = {
  /** A live update: the money is debited, and the withdrawal waits for approval. */
  'withdrawal.created': z.object({ ...withdrawal, status: z.literal('PENDING'), providerTxId: z.null() }),
  /** A live update: the withdrawal is approved, and its payout will follow. */
  'withdrawal.approved': z.object({ ...withdrawal, status: z.literal('APPROVED'), providerTxId: z.null() }),
  /**
   * The service starts the payout: it sends the order to the Pix provider, or an operator may send the TED.
   * The previous release does not send this event.
   */
  'withdrawal.processing': z.object({
    ...withdrawal,
    status: z.literal('PROCESSING'),
    providerTxId: z.null(),
    startedAt: z.iso.datetime(),
  }),
  'withdrawal.completed': z.object({
    ...withdrawal,
    status: z.literal('COMPLETED'),
    providerTxId: z.string(),
    /** Null for a TED; absent in events of release 0.6.0 and before. */
    endToEndId: z.string().nullable().optional(),
    /**
     * The holder of the Pix key. Null when the provider does not name the holder; absent in events of release
     * 0.6.0 and before.
     */
    payeeName: z.string().nullable().optional(),
    completedAt: z.iso.datetime(),
  }),
  'withdrawal.failed': z.object({
    ...withdrawal,
    status: z.literal('FAILED'),
    providerTxId: z.null(),
    failedAt: z.iso.datetime(),
    failureReason: z.string(),
  }),
  'withdrawal.rejected': z.object({
    ...withdrawal,
    status: z.literal('REJECTED'),
    providerTxId: z.null(),
    rejectedAt: z.iso.datetime(),
    rejectedReason: z.string(),
  }),
  /**
   * Ends a withdrawal whose caller got an error instead of the withdrawal. The ledger returns the debit that
   * it has made, or refuses to make the debit later.
   */
  'withdrawal.abandoned': z.object({
    ...withdrawal,
    status: z.literal('ABANDONED'),
    abandonedAt: z.iso.datetime(),
  }),
};
