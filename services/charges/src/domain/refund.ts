import { type Cents, type Environment, Refusal } from '@plataforma/kernel';

/**
 * REQUESTED: the refund is recorded. DEBITED: the ledger has debited the merchant. ACCEPTED: the provider has
 * accepted the order. DONE: the payer has the money, and the charge is REFUNDED. REFUSED: the refund failed,
 * and the merchant has the money.
 */
export type RefundStatus = 'REQUESTED' | 'DEBITED' | 'ACCEPTED' | 'DONE' | 'REFUSED';

export interface Refund {
  id: string;
  chargeId: string;
  merchantId: string;
  environment: Environment;
  amount: Cents;
  reason: string | null;
  status: RefundStatus;
  failure: string | null;
  /** The id (rtrId) of the Pix that returns the money; null for a card, and until the provider reports it. */
  reference: string | null;
  createdAt: Date;
  acceptedAt: Date | null;
  /**
   * The time of the end; null until the status is DONE or REFUSED, and for a refund that an older release
   * ended.
   */
  endedAt: Date | null;
  /** The number of times that a process has claimed this refund. */
  attempts: number;
  nextCheckAt: Date;
  /**
   * The time at which the provider refused or did not know the refund, although an earlier order may still be
   * executed. Null once the provider is known to have the order.
   */
  unconfirmedAt: Date | null;
}

/** The failure of a refund that the ledger did not debit, because the balance was too low. */
export const SHORT_OF_BALANCE = 'the balance did not cover it';

/** Returns the failure reason that merchants see. */
export function failureReasonOf({ failure }: Pick<Refund, 'failure'>) {
  return failure === SHORT_OF_BALANCE ? 'insufficient_balance' : 'refused_by_provider';
}

export function refusalOfRefund({ failure }: Pick<Refund, 'failure'>): Refusal {
  if (failure === SHORT_OF_BALANCE) return notCovered();
  const message =
    'the provider refused the refund, and its amount goes back to the balance; request another under a new Idempotency-Key';
  return new Refusal('conflict', 'REFUND_REFUSED', message);
}

export function notRefundable(why: string): Refusal {
  return new Refusal('conflict', 'CHARGE_NOT_REFUNDABLE', `the charge ${why} and can’t be refunded`);
}

export function notCovered(): Refusal {
  return new Refusal('unprocessable', 'INSUFFICIENT_BALANCE', 'the balance does not cover the refund');
}

export function noSuchRefund(): Refusal {
  return new Refusal('missing', 'NOT_FOUND', 'there is no refund with this id');
}

/**
 * Returns the refund's id at the provider. API Pix 2.9.0 lets the platform choose this id from
 * `[a-zA-Z0-9]{1,35}`.
 */
export function providerRefundId({ id }: Pick<Refund, 'id'>): string {
  return id.replaceAll('-', '');
}
