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

/**
 * Every change a charge can go through; what is not here can't happen. DECLINED is an attempt with a card that came
 * to nothing, which no merchant sees.
 */
export const chargeTransitions: Table<ChargeStatus, ChargeStep> = {
  PENDING: { pay: 'PAID', expire: 'EXPIRED', cancel: 'CANCELLED', decline: 'DECLINED' },
  PAID: { refund: 'REFUNDED', dispute: 'DISPUTED' },
  DISPUTED: { win_dispute: 'PAID', lose_dispute: 'REFUNDED' },
  REFUNDED: {},
  EXPIRED: {},
  CANCELLED: {},
  DECLINED: {},
};

/** The status after a step, or null when the step is not possible from here. */
export function statusAfter(status: ChargeStatus, step: ChargeStep): ChargeStatus | null {
  return next(chargeTransitions, status, step);
}

/** Returns the status after a step that the caller has checked; throws an Error for an impossible step. */
export function statusAfterOrThrow(status: ChargeStatus, step: ChargeStep): ChargeStatus {
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
  /** The merchant's own names and texts. */
  metadata: Record<string, string>;
  /** Of a charge that a buyer's checkout has made: that, and its payment link. */
  checkoutId: string | null;
  paymentLinkId: string | null;
  /** Of a Pix charge; null until the provider has confirmed it. */
  qrCode: string | null;
  endToEndId: string | null;
  createdAt: Date;
  /** Null for a card charge. */
  expiresAt: Date | null;
  paidAt: Date | null;
  /** When card money becomes available to the merchant. */
  settlesAt: Date | null;
  card: Card | null;
  refund: ChargeRefund | null;
  /** When the clock looks at it next; a claim sets it to its own end. */
  dueAt: Date;
  /** Claims so far; of a card payment that goes back, since that began. */
  checks: number;
  /** Of the claim under which a process works on it; null after its work was recorded. */
  leaseToken: string | null;
  leaseUntil: Date | null;
}

/** What is known of the card of a card charge. */
export interface Card {
  installments: number;
  /** Null until the acquirer has approved it. */
  acquirerId: string | null;
  brand: string | null;
  lastDigits: string | null;
  /** The payment's number at the acquirer and the issuer's code; null where the acquirer does not say. */
  nsu: string | null;
  authorizationCode: string | null;
  declineReason: string | null;
  /** A payment that nobody asked about again is being given back. */
  isVoiding: boolean;
  /** The attempt has ended, and its payment may still turn up at the acquirer. */
  isWatched: boolean;
}

/** What of a charge went back to its payer. */
interface ChargeRefund {
  amount: Cents;
  at: Date;
  reason: string | null;
}
