import { type Cents, type Environment, next, type Table } from '@plataforma/kernel';

export type ChargeStatus =
  | 'PENDING'
  | 'PAID'
  | 'EXPIRED'
  | 'CANCELLED'
  | 'REFUNDED'
  | 'DISPUTED'
  | 'DECLINED';
type ChargeStep =
  | 'pay'
  | 'expire'
  | 'cancel'
  | 'decline'
  | 'refund'
  | 'dispute'
  | 'win_dispute'
  | 'lose_dispute';

/** The status after each allowed step. DECLINED is a failed card attempt, which merchants do not see. */
export const chargeTransitions: Table<ChargeStatus, ChargeStep> = {
  PENDING: { pay: 'PAID', expire: 'EXPIRED', cancel: 'CANCELLED', decline: 'DECLINED' },
  PAID: { refund: 'REFUNDED', dispute: 'DISPUTED' },
  DISPUTED: { win_dispute: 'PAID', lose_dispute: 'REFUNDED' },
  REFUNDED: {},
  EXPIRED: {},
  CANCELLED: {},
  DECLINED: {},
};

/** Returns the status after a step, or null when the step is not possible. */
export function statusAfter(status: ChargeStatus, step: ChargeStep): ChargeStatus | null {
  return next(chargeTransitions, status, step);
}

/** Returns the status after a step that the caller has checked; throws an Error for an impossible step. */
export function assertNext(status: ChargeStatus, step: ChargeStep): ChargeStatus {
  const after = statusAfter(status, step);
  if (after) return after;
  throw new Error(`a charge that is ${status} can’t go through ${step}`);
}

export type PaymentMethod = 'PIX' | 'CARD';

export interface Charge {
  id: string;
  merchantId: string;
  environment: Environment;
  externalId: string;
  txid: string;
  paymentMethod: PaymentMethod;
  amount: Cents;
  feeAmount: Cents;
  netAmount: Cents;
  status: ChargeStatus;
  sequence: number;
  payerName: string;
  payerDocument: string;
  payerEmail: string | null;
  description: string | null;
  metadata: Record<string, string>;
  checkoutId: string | null;
  paymentLinkId: string | null;
  /** The Pix code; null for a card charge, and until the provider has registered the charge. */
  qrCode: string | null;
  endToEndId: string | null;
  createdAt: Date;
  /** Null for a card charge. */
  expiresAt: Date | null;
  paidAt: Date | null;
  /** The time when card money becomes available to the merchant. */
  settlesAt: Date | null;
  card: Card | null;
  refund: { amount: Cents; at: Date; reason: string | null } | null;
  /** The time of the scheduler's next check. A claim moves this time to the end of the lease. */
  dueAt: Date;
  /**
   * How often a process has claimed the charge. While the platform returns a card payment, `attempts` counts
   * only the claims since the start of the return.
   */
  attempts: number;
  /** The token of the process that works on the charge; null after the process has recorded its work. */
  leaseToken: string | null;
  leaseUntil: Date | null;
  /** The seal of the stored row. Each change of a sealed field writes a new seal. */
  seal: string | null;
}

export interface Card {
  installments: number;
  /** Null until the acquirer has approved the payment. */
  acquirerId: string | null;
  brand: string | null;
  lastDigits: string | null;
  /** The payment's number at the acquirer; null when the acquirer does not report it. */
  nsu: string | null;
  /** The issuer's code for the payment; null when the acquirer does not report it. */
  authorizationCode: string | null;
  declineReason: string | null;
  /**
   * True while the platform returns the money of an approved payment. The merchant never got the approval,
   * and did not repeat the request in time.
   */
  isVoiding: boolean;
  /**
   * True when the attempt has ended without a payment, but a payment may still appear at the acquirer or must
   * be returned.
   */
  isWatched: boolean;
}
