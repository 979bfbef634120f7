import type { Cents, Environment } from '@plataforma/kernel';
import { type Charge, type ChargeStatus, statusAfter } from './charge.ts';

/** A received Pix, as the provider reports it. */
export interface PixReceipt {
  endToEndId: string;
  amount: Cents;
  paidAt: Date;
}

export interface PixReceiptWithReturns extends PixReceipt {
  /** The amount that the platform has ordered to return, including returns that are not completed. */
  returned: Cents;
  /** The amount that the provider took back for the payer's bank (MED). */
  takenBack: Cents;
}

/**
 * A charge at the provider. `other` is a status that this release does not know, so no decision may depend on
 * it.
 */
export interface ProviderCharge {
  status: 'active' | 'concluded' | 'removed' | 'other';
  qrCode: string | null;
  payments: PixReceiptWithReturns[];
}

type Cause = 'LATE' | 'DUPLICATE' | 'WRONG_AMOUNT' | 'UNKNOWN_CHARGE';

/** Received money that paid no charge. It is never credited, and returns to its payer. */
export interface UnmatchedPayment extends PixReceipt {
  id: string;
  environment: Environment;
  /** Null when the payment names no charge of the platform. */
  merchantId: string | null;
  chargeId: string | null;
  txid: string | null;
  cause: Cause;
  status: 'RETURNING' | 'RETURNED' | 'RETURN_REFUSED';
  failure: string | null;
  attempts: number;
  /** The id (rtrId) of the Pix that returns the money; null until the provider reports it. */
  reference: string | null;
  returnedAt: Date | null;
  /**
   * The time when the provider refused or did not find the order, although an earlier request may still be
   * executed. Null once the provider is known to have the order.
   */
  unconfirmedAt: Date | null;
}

/** Returns the end-to-end id of the Pix that returned the money, or null until the payer has the money. */
export function returnEndToEndIdOf({ status, reference }: Pick<UnmatchedPayment, 'status' | 'reference'>) {
  return status === 'RETURNED' ? reference : null;
}

/**
 * Decides which new payment pays a pending charge: the first payment of exactly its amount. All other
 * payments are unmatched. Ignores payments that are already recorded, and duplicates in one answer.
 */
export function decidePayments(
  charge: Pick<Charge, 'status' | 'amount'>,
  payments: readonly PixReceipt[],
  recorded: ReadonlySet<string>,
): { paidBy: PixReceipt | null; unmatched: { payment: PixReceipt; cause: Cause }[] } {
  const distinct = new Map(payments.map((payment) => [payment.endToEndId, payment]));
  const added = [...distinct.values()].filter(({ endToEndId }) => !recorded.has(endToEndId));
  const canBePaid = statusAfter(charge.status, 'pay') !== null;
  const paidBy = canBePaid ? (added.find(({ amount }) => amount === charge.amount) ?? null) : null;
  const others = added.filter((payment) => payment !== paidBy);
  const cause = causeOf(paidBy ? 'PAID' : charge.status);
  return { paidBy, unmatched: others.map((payment) => ({ payment, cause })) };
}

function causeOf(status: ChargeStatus): Cause {
  if (status === 'PENDING') return 'WRONG_AMOUNT';
  return status === 'EXPIRED' || status === 'CANCELLED' ? 'LATE' : 'DUPLICATE';
}
