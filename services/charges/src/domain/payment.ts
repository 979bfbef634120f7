import type { Cents, Environment } from '@plataforma/kernel';
import { type Charge, type ChargeStatus, statusAfter } from './charge.ts';

/** A Pix that arrived, as the provider tells of it. */
export interface Payment {
  endToEndId: string;
  amount: Cents;
  paidAt: Date;
}

/** With what has become of it since. */
export interface ReceivedPix extends Payment {
  /** What went back, or is on its way, because we asked for it. */
  returned: Cents;
  /** What the provider took back for the payer's bank (MED). */
  takenBack: Cents;
}

/**
 * A charge as the provider knows it. `other` is a status this version does not know: nothing may follow from
 * it.
 */
export interface ProviderCharge {
  status: 'active' | 'concluded' | 'removed' | 'other';
  qrCode: string | null;
  payments: ReceivedPix[];
}

/** Why money that came paid nothing. */
type Cause = 'LATE' | 'DUPLICATE' | 'WRONG_AMOUNT' | 'UNKNOWN_CHARGE';

/** Money that came all the same. It is never credited; it goes back to its payer. */
export interface UnexpectedPayment extends Payment {
  id: string;
  environment: Environment;
  /** Null when it names no charge of ours. */
  merchantId: string | null;
  chargeId: string | null;
  txid: string | null;
  cause: Cause;
  status: 'RETURNING' | 'RETURNED' | 'RETURN_REFUSED';
  failure: string | null;
  attempts: number;
  /** The rtrId of the Pix that returns it; null until the provider has said it. */
  reference: string | null;
  returnedAt: Date | null;
  /** When a refusal came that an earlier order may outlive; null when none did, or the provider has it after all. */
  doubtedAt: Date | null;
}

/** Names the Pix that returned the money; null while the payer does not have it. */
export function returnEndToEndIdOf({ status, reference }: Pick<UnexpectedPayment, 'status' | 'reference'>) {
  return status === 'RETURNED' ? reference : null;
}

interface PaymentDecision {
  /** Pays the charge. */
  paidBy: Payment | null;
  unexpected: { payment: Payment; cause: Cause }[];
}

/**
 * Decides which new payment pays a charge: the first of exactly its amount, while it is pending. All others are
 * unexpected. Recorded payments, and duplicates within one answer, count no more.
 */
export function decidePayments(
  charge: Pick<Charge, 'status' | 'amount'>,
  payments: readonly Payment[],
  recorded: ReadonlySet<string>,
): PaymentDecision {
  const distinct = new Map(payments.map((payment) => [payment.endToEndId, payment]));
  const added = [...distinct.values()].filter(({ endToEndId }) => !recorded.has(endToEndId));
  const canBePaid = statusAfter(charge.status, 'pay') !== null;
  const paidBy = canBePaid ? (added.find(({ amount }) => amount === charge.amount) ?? null) : null;
  const others = added.filter((payment) => payment !== paidBy);
  const cause = causeOf(paidBy ? 'PAID' : charge.status);
  return { paidBy, unexpected: others.map((payment) => ({ payment, cause })) };
}

function causeOf(status: ChargeStatus): Cause {
  if (status === 'PENDING') return 'WRONG_AMOUNT';
  return status === 'EXPIRED' || status === 'CANCELLED' ? 'LATE' : 'DUPLICATE';
}
