import { type Cents, type Environment, Refusal } from '@plataforma/kernel';

/**
 * REQUESTED: written down. DEBITED: the ledger has taken the money from the merchant. ACCEPTED: the provider has
 * taken the order to return it. DONE: the payer has it, and the charge is REFUNDED. REFUSED: it stays, or is again, with
 * the merchant.
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
  /** The rtrId of the Pix that returns it; null of a card and until the provider has said it. */
  reference: string | null;
  createdAt: Date;
  acceptedAt: Date | null;
  /** Null until it is DONE or REFUSED, and for one that an older release has ended. */
  endedAt: Date | null;
  /** How often it was claimed. */
  attempts: number;
  nextCheckAt: Date;
  /** When a refusal came that an earlier order may outlive; null once the provider has the order. */
  unconfirmedAt: Date | null;
}

/** Why a refund was given up that the ledger took no money for. */
export const SHORT_OF_BALANCE = 'the balance did not cover it';

/** Why nothing went back, as merchants are told. */
export function failureReasonOf({ failure }: Pick<Refund, 'failure'>) {
  return failure === SHORT_OF_BALANCE ? 'insufficient_balance' : 'refused_by_provider';
}

/** The refusal that the caller of a REFUSED refund gets. */
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

/** API Pix 2.9.0: `[a-zA-Z0-9]{1,35}`, chosen by us. */
export function providerRefundId({ id }: Pick<Refund, 'id'>): string {
  return id.replaceAll('-', '');
}
