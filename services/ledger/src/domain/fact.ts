import type { Cents, Tenant } from '@plataforma/kernel';

type ChargeMethod = 'PIX' | 'CARD';

interface OfCharge {
  chargeId: string;
  /** The method of the charge. */
  method: ChargeMethod;
  amount: Cents;
}

interface OfWithdrawal {
  /** The amount that the payee gets. */
  netAmount: Cents;
  fee: Cents;
}

interface ByOperator {
  amount: Cents;
  /** Why, in the operator's words. */
  memo: string;
}

/** The kinds of facts that belong in the books, with the fields of each. */
interface FactFields {
  /** `reference`: the charge. Its money is pending until `settlesAt`; null: available at once. */
  charge_paid: {
    method: ChargeMethod;
    amount: Cents;
    fee: Cents;
    externalId: string;
    settlesAt: string | null;
  };
  /** `reference`: what the receivable says. */
  receivable_due: { chargeId: string };
  /** `reference`: the refund, as for its refusal. */
  refund: OfCharge & { externalId: string };
  refund_refused: OfCharge;
  /** `reference`: the dispute, as for both of its ends. */
  dispute_opened: OfCharge;
  /** The payer may have cancelled it, which counts as won. */
  dispute_won: OfCharge & { isCancelled?: true };
  dispute_lost: OfCharge;
  /**
   * The debit of a withdrawal, posted before the event `withdrawal.created`; journal and hashes keep this name.
   * `reference`: the withdrawal, as for both of its ends.
   */
  withdrawal_created: OfWithdrawal & {
    method: 'PIX' | 'TED';
    /** It stood in the books before they were restored: a refusal is not final. */
    isAgain?: true;
  };
  withdrawal_completed: OfWithdrawal;
  /** An abandoned withdrawal may have ended before its debit was requested. */
  withdrawal_returned: OfWithdrawal & { isAbandoned?: true };
  /** `reference`: what the operator calls it. */
  block: ByOperator;
  unblock: ByOperator;
  /** Below zero it is taken from the merchant. */
  adjustment: ByOperator;
  /** `reference`: the payment, as for its return. */
  unexpected_payment_received: { method: 'PIX'; amount: Cents };
  unexpected_payment_returned: { method: 'PIX'; amount: Cents };
}

/** Names of a fact's subject at merchant and bank. No hash covers them, because other services own them. */
export interface Names {
  externalId: string | null;
  endToEndId: string | null;
}

export type Kind = keyof FactFields;

/** Kind and reference identify a fact: it is posted once, whichever message brings it. */
export type FactOf<K extends Kind> = {
  [P in K]: Tenant & { kind: P; reference: string; occurredAt: string } & Partial<Names> & FactFields[P];
}[K];

export type Fact = FactOf<Kind>;

/** Returns the charge of a fact; null when it has none. */
export function chargeOf(fact: Fact): string | null {
  if (fact.kind === 'charge_paid') return fact.reference;
  return 'chargeId' in fact ? fact.chargeId : null;
}

/**
 * Money that paid nothing is no merchant's: it touches no wallet, even when it came for a merchant's charge.
 */
export function touchesWallet({ kind }: { kind: string }): boolean {
  return kind !== 'unexpected_payment_received' && kind !== 'unexpected_payment_returned';
}
