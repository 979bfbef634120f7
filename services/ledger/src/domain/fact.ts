import type { Cents, Tenant } from '@plataforma/kernel';

type ChargeMethod = 'PIX' | 'CARD';

interface OfCharge {
  chargeId: string;
  method: ChargeMethod;
  amount: Cents;
}

interface OfWithdrawal {
  /** Cents that the payee gets. */
  netAmount: Cents;
  fee: Cents;
}

interface ByOperator {
  amount: Cents;
  memo: string;
}

interface FactFields {
  /** `reference`: the charge. The money is pending until `settlesAt`; null makes it available at once. */
  charge_paid: {
    method: ChargeMethod;
    amount: Cents;
    fee: Cents;
    externalId: string;
    settlesAt: string | null;
  };
  /** `reference`: the receivable's `dueReference`. */
  receivable_due: { chargeId: string };
  /** `reference`: the refund, also for its refusal. */
  refund: OfCharge & { externalId: string };
  refund_refused: OfCharge;
  /** `reference`: the dispute, also for its ends. */
  dispute_opened: OfCharge;
  /** A dispute that the payer cancelled counts as won. */
  dispute_won: OfCharge & { isCancelled?: true };
  dispute_lost: OfCharge;
  /**
   * The debit of a withdrawal. Its name stays, because stored entries and their hashes have it. `reference`:
   * the withdrawal, also for its ends.
   */
  withdrawal_created: OfWithdrawal & {
    method: 'PIX' | 'TED';
    /** True for a debit that a restore of the books lost. Its refusal is not final. */
    isAgain?: true;
  };
  withdrawal_completed: OfWithdrawal;
  /** An abandoned withdrawal may end before its debit is requested. */
  withdrawal_returned: OfWithdrawal & { isAbandoned?: true };
  /** `reference`: the operator's id of the change, also of an `unblock`. */
  block: ByOperator;
  unblock: ByOperator;
  /** A negative amount takes money from the merchant. */
  adjustment: ByOperator;
  /** `reference`: the payment, also for its return. */
  unexpected_payment_received: { method: 'PIX'; amount: Cents };
  unexpected_payment_returned: { method: 'PIX'; amount: Cents };
}

/**
 * Names of a fact's subject at the merchant and the bank. No hash covers them, because other services own
 * them.
 */
export interface Names {
  externalId: string | null;
  endToEndId: string | null;
}

export type Kind = keyof FactFields;

/** A fact, identified by kind and reference. It is posted once, although several messages may bring it. */
export type FactOf<K extends Kind> = {
  [P in K]: Tenant & { kind: P; reference: string; occurredAt: string } & Partial<Names> & FactFields[P];
}[K];

export type Fact = FactOf<Kind>;

export function chargeOf(fact: Fact): string | null {
  if (fact.kind === 'charge_paid') return fact.reference;
  return 'chargeId' in fact ? fact.chargeId : null;
}

/**
 * Returns false for unmatched payments, because they belong to no merchant, even if one names a merchant's
 * charge.
 */
export function touchesWallet({ kind }: { kind: string }): boolean {
  return kind !== 'unexpected_payment_received' && kind !== 'unexpected_payment_returned';
}
