import { z } from 'zod';

export interface Debit {
  id: string;
  merchantId: string;
}

/**
 * The ledger's route for the debits of one service, and the schema of its body. The fake ledger records a
 * body with other fields as a breach.
 */
export interface DebitRoute<D extends Debit> {
  asker: 'charges' | 'withdrawals';
  path: string;
  debit: z.ZodType<D>;
  amountOf(debit: D): number;
}

const owned = {
  id: z.uuid(),
  merchantId: z.uuid(),
  environment: z.enum(['production', 'sandbox']),
  occurredAt: z.iso.datetime(),
};

const refundDebit = z.strictObject({
  ...owned,
  amount: z.int().positive(),
  charge: z.strictObject({
    id: z.uuid(),
    externalId: z.string().min(1),
    paymentMethod: z.enum(['PIX', 'CARD']),
    amount: z.int().positive(),
    feeAmount: z.int().nonnegative(),
    netAmount: z.int().nonnegative(),
    paidAt: z.iso.datetime(),
    settlesAt: z.iso.datetime().nullable(),
    endToEndId: z.string().min(1).nullable(),
  }),
});

export type RefundDebit = z.infer<typeof refundDebit>;

export const refundRoute: DebitRoute<RefundDebit> = {
  asker: 'charges',
  path: '/internal/refunds',
  debit: refundDebit,
  amountOf: ({ amount }) => amount,
};

const withdrawalDebit = z.strictObject({
  ...owned,
  netAmount: z.int().positive(),
  fee: z.int().nonnegative(),
  method: z.enum(['PIX', 'TED']),
  externalId: z.string().min(1).nullable(),
});

export type WithdrawalDebit = z.infer<typeof withdrawalDebit>;

export const withdrawalRoute: DebitRoute<WithdrawalDebit> = {
  asker: 'withdrawals',
  path: '/internal/withdrawals',
  debit: withdrawalDebit,
  amountOf: ({ netAmount, fee }) => netAmount + fee,
};
