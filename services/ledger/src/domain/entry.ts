import type { Cents, Tenant } from '@plataforma/kernel';
import { amountOn, type Line } from './account.ts';
import { chargeOf, type Fact, type FactOf, type Kind } from './fact.ts';

export interface Entry extends Tenant {
  id: string;
  kind: Kind | 'debt_collected';
  reference: string;
  /**
   * The charge that the entry is about. Null if it is about no charge, or if an older release did not store
   * the charge.
   */
  chargeId: string | null;
  occurredAt: string;
  /** The text that an operator gave for a manual change. Null for all other entries. */
  memo: string | null;
  lines: readonly Line[];
}

export function entryKey({ kind, reference }: Pick<Entry, 'kind' | 'reference'>): string {
  return `${kind} ${reference}`;
}

/**
 * Returns true if the merchant, charge and amounts of an entry match a fact. The fact either repeats the
 * entry's own fact or ends it, as the refusal of a refund ends the refund.
 */
export function agrees(entry: Entry, fact: Fact): boolean {
  if (entry.merchantId !== fact.merchantId || entry.environment !== fact.environment) return false;
  if (entry.chargeId !== null && entry.chargeId !== chargeOf(fact)) return false;
  // The fact contains no amount, because the amount is determined when the settlement is posted.
  if (fact.kind === 'receivable_due') return true;
  if ('netAmount' in fact) return isOfWithdrawal(entry, fact);
  if ('memo' in fact) return entry.memo === fact.memo && changeIn(entry) === fact.amount;
  const fee = fact.kind === 'charge_paid' ? fact.fee : 0;
  return movedBy(entry) === fact.amount && amountOn(entry.lines, 'fees') === fee && isFor(entry, fact.method);
}

/**
 * Returns true if the entry has the amount and the fee of the withdrawal. Ignores the fee of a completion,
 * because only the withdrawal's debit and return contain the fee.
 */
function isOfWithdrawal(
  { kind, lines }: Entry,
  { netAmount, fee }: Pick<FactOf<'withdrawal_created'>, 'netAmount' | 'fee'>,
): boolean {
  const isSameFee = kind === 'withdrawal_completed' || Math.abs(amountOn(lines, 'fees')) === fee;
  return Math.abs(amountOn(lines, 'payouts')) === netAmount && isSameFee;
}

/** Returns an entry's amount. An adjustment may be negative, and all other entries are positive. */
function changeIn(entry: Entry): Cents {
  return entry.kind === 'adjustment' ? -amountOn(entry.lines, 'adjustments') : movedBy(entry);
}

/**
 * Returns the amount that an entry moves. It is the sum of the positive lines, because the negative lines
 * contain the same amount.
 */
function movedBy({ lines }: Entry): Cents {
  return lines.reduce((total, { amount }) => total + Math.max(0, amount), 0);
}

/** Returns true if the entry has no line on the clearing account of a different payment method. */
function isFor({ lines }: Entry, method: string): boolean {
  return lines.every(({ account }) => !account.startsWith('clearing:') || account === `clearing:${method}`);
}
