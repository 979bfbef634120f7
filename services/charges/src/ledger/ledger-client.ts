import type { Cents, Environment } from '@plataforma/kernel';

/** Money taken from a merchant's wallet to be returned to a payer. */
export interface RefundDebit {
  /** The refund's id: asked twice, it is taken once. */
  id: string;
  merchantId: string;
  environment: Environment;
  amount: Cents;
  occurredAt: Date;
  /** The paid charge, so that a refund that overtakes the news of the payment finds its money. */
  charge: {
    id: string;
    externalId: string;
    paymentMethod: 'PIX' | 'CARD';
    amount: Cents;
    feeAmount: Cents;
    netAmount: Cents;
    paidAt: Date;
    settlesAt: Date | null;
  };
}

/** An entry of the books, as reconciliation reads it. */
export interface LedgerEntry {
  id: string;
  kind: string;
  reference: string;
  merchantId: string;
  lines: { account: string; amount: Cents }[];
}

export interface LedgerClient {
  /** Refuses with INSUFFICIENT_BALANCE, or with SERVICE_UNAVAILABLE when it is unknown whether it was taken. */
  debitRefund(debit: RefundDebit): Promise<void>;
  /** The entries of a period [from, to), page by page. */
  entries(period: { environment: Environment; from: Date; to: Date }): AsyncIterable<LedgerEntry[]>;
}
