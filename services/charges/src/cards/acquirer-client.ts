import type { Cents } from '@plataforma/kernel';
import type { RefundOutcome } from '../domain/refund-outcome.ts';

/** Everything the acquirer needs to charge a tokenized card; `id` is our charge's and its idempotency key. */
export interface CardOrder {
  id: string;
  amount: Cents;
  installments: number;
  cardToken: string;
  payerName: string;
  payerDocument: string;
  payerEmail: string | null;
  payerPhone: string | null;
  statementDescriptor: string | null;
  description: string | null;
}

/** What became of a card order. `processing`: the acquirer has it and has not decided. */
export type CardOutcome =
  | { state: 'approved'; acquirerId: string; brand: string; lastDigits: string }
  | { state: 'declined'; reason: string }
  | { state: 'processing' };

/** A charge as the acquirer knows it today. */
export interface AcquirerCharge {
  acquirerId: string;
  /** Our charge's id. */
  chargeId: string;
  amount: Cents;
  canceledAmount: Cents;
  isPaid: boolean;
  chargeback: { amount: Cents; reason: string } | null;
}

/**
 * Our side of a card acquirer. Every method refuses with PROVIDER_UNAVAILABLE when the outcome is unknown, and with
 * PROVIDER_ERROR when the answer is of no use.
 */
export interface AcquirerClient {
  publicKey: string;
  tokenizeUrl: string;
  /** Charges the card at once; asked twice with one id, it does it once. VALIDATION_ERROR: the token is of no use. */
  pay(order: CardOrder): Promise<CardOutcome>;
  /** What became of the order with our id; null when the acquirer never heard of it. */
  find(chargeId: string): Promise<CardOutcome | null>;
  inspect(acquirerId: string): Promise<AcquirerCharge | null>;
  /** Gives money back to the card; asked twice with one refund id, it does it once. */
  refund(refund: { acquirerId: string; refundId: string; amount: Cents }): Promise<RefundOutcome>;
  /** Charges created in [from, to), page by page. */
  list(period: { from: Date; to: Date }): AsyncIterable<AcquirerCharge[]>;
}
