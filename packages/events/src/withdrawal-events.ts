import { z } from 'zod';

const withdrawal = {
  id: z.uuid(),
  /** The ordered amount; `netAmount` goes to the payee and `fee` to the platform. */
  amount: z.int().positive(),
  fee: z.int().nonnegative(),
  netAmount: z.int().positive(),
  method: z.enum(['PIX', 'TED']),
  /** Null: to a bank account. */
  pixKey: z.string().nullable(),
  pixKeyType: z.string().nullable(),
  /** Null: to a Pix key; so it is in events of the release before this one, as is the externalId. */
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
  /** The merchant's own name of it. */
  externalId: z.string().nullable().default(null),
  createdAt: z.iso.datetime(),
};

/**
 * Emitted by the withdrawals service, each at most once, and only one end for a withdrawal. The money was taken from
 * the merchant before any of them but the last: after a completion it is gone, after another end it is the merchant's
 * again. Amounts are integer cents, times ISO 8601 UTC.
 */
export const withdrawalEvents = {
  /** A live update: its money is taken, and it waits for its approval. */
  'withdrawal.created': z.object({ ...withdrawal, status: z.literal('PENDING'), providerTxId: z.null() }),
  /** A live update: it is about to be paid. */
  'withdrawal.approved': z.object({ ...withdrawal, status: z.literal('APPROVED'), providerTxId: z.null() }),
  /** The payout leaves for the provider, or people may send the TED; a release before does not announce it. */
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
    /** Null of a TED; absent in events of release 0.6.0 and before. */
    endToEndId: z.string().nullable().optional(),
    /** The holder of the Pix key; null when the provider does not name them, absent as the field above. */
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
   * Ends a withdrawal whose caller got an error and never saw it. Its money may have been debited before, and must not
   * be debited any more.
   */
  'withdrawal.abandoned': z.object({
    ...withdrawal,
    status: z.literal('ABANDONED'),
    abandonedAt: z.iso.datetime(),
  }),
};
