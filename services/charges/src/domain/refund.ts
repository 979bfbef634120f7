import { type Cents, type Environment, Refusal } from '@plataforma/kernel';
import { type Charge, notRefundable } from './charge.ts';

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
  createdAt: Date;
  acceptedAt: Date | null;
  /** Null until it is DONE or REFUSED, and for one that an older release has ended. */
  endedAt: Date | null;
  /** How often it was claimed. */
  attempts: number;
  nextCheckAt: Date;
  /** When a refusal came that an earlier order may outlive; null when none did, or the provider has it after all. */
  doubtedAt: Date | null;
}

/** The amount to refund: what was asked for, or the net amount (contract section 4). */
export function refundAmount({ amount, netAmount }: Charge, asked: Cents | undefined): Cents {
  const refunded = asked ?? netAmount;
  if (refunded > amount) {
    throw new Refusal('invalid', 'VALIDATION_ERROR', `amount: must be at most ${amount}, the charge’s`);
  }
  if (refunded < 1) {
    throw new Refusal('invalid', 'VALIDATION_ERROR', 'amount: is required, as the net amount is nothing');
  }
  return refunded;
}

/** Why a refund was given up that the ledger took no money for. */
export const SHORT_OF_BALANCE = 'the balance did not cover it';

/** Why nothing went back, as merchants are told. */
export function failureReasonOf({ failure }: Pick<Refund, 'failure'>) {
  return failure === SHORT_OF_BALANCE ? 'insufficient_balance' : 'refused_by_provider';
}

/** What the caller of a refund reads that was REFUSED. */
export function refusalOfRefund({ failure }: Pick<Refund, 'failure'>): Refusal {
  return failure === SHORT_OF_BALANCE ? notCovered() : notRefundable('was not refunded by its provider');
}

export function notCovered(): Refusal {
  return new Refusal('unprocessable', 'INSUFFICIENT_BALANCE', 'the balance does not cover the refund');
}

/** The refusal of what a provider's API can't do, whatever the charge. */
export function notSupported(): Refusal {
  const message = 'the provider of this charge does not return money through its API';
  return new Refusal('invalid', 'REFUND_NOT_SUPPORTED', message);
}

/** API Pix 2.9.0: `[a-zA-Z0-9]{1,35}`, chosen by us. */
export function providerRefundId({ id }: Pick<Refund, 'id'>): string {
  return id.replaceAll('-', '');
}

/** Money of a charge that went back to its payer, or was to. */
export interface ChargeReturn
  extends Pick<Refund, 'id' | 'amount' | 'reason' | 'status' | 'failure' | 'createdAt' | 'endedAt'> {
  origin: 'MERCHANT' | 'DISPUTE';
}
