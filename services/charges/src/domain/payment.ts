import type { Cents, Environment } from '@plataforma/kernel';
import { type Charge, type ChargeStatus, statusAfter } from './charge.ts';

/** A received Pix, as the provider reports it. */
export interface PixReceipt {
  endToEndId: string;
  amount: Cents;
  paidAt: Date;
}

/** A received Pix and the money of it that went back. */
export interface PixReceiptWithReturns extends PixReceipt {
  /** Returned by our order, or on its way back. */
  returned: Cents;
  /** Taken back by the provider for the payer's bank (MED). */
  takenBack: Cents;
}

/**
 * A charge as the provider knows it. `other` is a status this version does not know: nothing may follow from
 * it.
 */
export interface ProviderCharge {
  status: 'active' | 'concluded' | 'removed' | 'other';
  qrCode: string | null;
  payments: PixReceiptWithReturns[];
}

/** The reason why received money paid no charge. */
type Cause = 'LATE' | 'DUPLICATE' | 'WRONG_AMOUNT' | 'UNKNOWN_CHARGE';

/** Received money that paid no charge. It is never credited; it goes back to its payer. */
export interface UnmatchedPayment extends PixReceipt {
  id: string;
  environment: Environment;
  /** Null when the payment names no charge of ours. */
  merchantId: string | null;
  chargeId: string | null;
  txid: string | null;
  cause: Cause;
  status: 'RETURNING' | 'RETURNED' | 'RETURN_REFUSED';
  failure: string | null;
  attempts: number;
  /** The rtrId of the Pix that returns it; null until the provider reports it. */
  reference: string | null;
  returnedAt: Date | null;
  /** When a refusal came that an earlier order may outlive; null once the provider has the order. */
  unconfirmedAt: Date | null;
}

/** Names the Pix that returned the money; null while the payer does not have it. */
export function returnEndToEndIdOf({ status, reference }: Pick<UnmatchedPayment, 'status' | 'reference'>) {
  return status === 'RETURNED' ? reference : null;
}

interface PaymentDecision {
  /** Pays the charge. */
  paidBy: PixReceipt | null;
  unmatched: { payment: PixReceipt; cause: Cause }[];
}

/**
 * Decides which new payment pays a charge: the first of exactly its amount, while it is pending. All others are
 * unmatched. Recorded payments, and duplicates within one answer, count no more.
 */
export function decidePayments(
  charge: Pick<Charge, 'status' | 'amount'>,
  payments: readonly PixReceipt[],
  recorded: ReadonlySet<string>,
): PaymentDecision {
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
