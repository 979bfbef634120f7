import type { Cents, Tenant } from '@plataforma/kernel';

type ChargeMethod = 'PIX' | 'CARD';

interface OfCharge {
  chargeId: string;
  method: ChargeMethod;
  amount: Cents;
}

interface OfWithdrawal {
  /** The amount in cents that the payee receives. */
  netAmount: Cents;
  fee: Cents;
}

interface ByOperator {
  amount: Cents;
  memo: string;
}

interface FactFields {
  /**
   * A charge was paid. `reference` is the charge's id. The money is pending until `settlesAt`. If `settlesAt`
   * is null, the money is available at once.
   */
  charge_paid: {
    method: ChargeMethod;
    amount: Cents;
    fee: Cents;
    externalId: string;
    settlesAt: string | null;
  };
  /** A receivable is due. `reference` is the receivable's `dueReference`. */
  receivable_due: { chargeId: string };
  /** A refund. `reference` is the refund's id, here and in `refund_refused`. */
  refund: OfCharge & { externalId: string };
  refund_refused: OfCharge;
  /** A dispute was opened. `reference` is the dispute's id, here and in `dispute_won` and `dispute_lost`. */
  dispute_opened: OfCharge;
  /** A dispute that the payer cancelled counts as won. */
  dispute_won: OfCharge & { isCancelled?: true };
  dispute_lost: OfCharge;
  /**
   * A withdrawal's debit. `reference` is the withdrawal's id, here and in its later facts. The name stays
   * `withdrawal_created`, because stored entries and their hashes contain it.
   */
  withdrawal_created: OfWithdrawal & {
    method: 'PIX' | 'TED';
    /**
     * True if the debit repeats a debit that was lost when the ledger's database was restored. A refusal of
     * the repeated debit is not final.
     */
    isAgain?: true;
  };
  withdrawal_completed: OfWithdrawal;
  /**
   * An unpaid withdrawal ended. `isAbandoned` is true if its creation stopped before the ledger's answer to
   * the debit was recorded. This fact may then arrive before the debit.
   */
  withdrawal_returned: OfWithdrawal & { isAbandoned?: true };
  /** An operator blocked money. `reference` is the id of the operator's change, here and in `unblock`. */
  block: ByOperator;
  unblock: ByOperator;
  /** An operator gave money to the merchant. A negative amount takes money from the merchant. */
  adjustment: ByOperator;
  /**
   * An unmatched payment arrived. `reference` is the payment's id, here and in `unexpected_payment_returned`.
   */
  unexpected_payment_received: { method: 'PIX'; amount: Cents };
  unexpected_payment_returned: { method: 'PIX'; amount: Cents };
}

/**
 * The ids that the merchant and the bank use for the subject of a fact, such as a charge. Other services own
 * these ids, so the hash of the journal entry does not include them.
 */
export interface Names {
  externalId: string | null;
  endToEndId: string | null;
}

/**
 * The order behind a fact: a signed event, an operator, or a service whose call the ledger has verified. The
 * digest of a merchant's signed order follows the service's name. The ledger itself orders settlements.
 */
export type Order = `event:${string}` | `operator:${string}` | `service:${string}`;

export type Kind = keyof FactFields;

/** A fact, identified by `kind` and `reference`. It is posted once, even if several messages report it. */
export type FactOf<K extends Kind> = {
  [P in K]: Tenant & { kind: P; reference: string; occurredAt: string; orderedBy: Order } & Partial<Names> &
    FactFields[P];
}[K];

export type Fact = FactOf<Kind>;

export function chargeOf(fact: Fact): string | null {
  if (fact.kind === 'charge_paid') return fact.reference;
  return 'chargeId' in fact ? fact.chargeId : null;
}

/**
 * Returns true if a fact of this kind changes a merchant's wallet. Unmatched payments do not, because they
 * belong to no merchant.
 */
export function touchesWallet({ kind }: { kind: string }): boolean {
  return kind !== 'unexpected_payment_received' && kind !== 'unexpected_payment_returned';
}
