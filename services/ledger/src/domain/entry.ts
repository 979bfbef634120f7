import type { Cents, Tenant } from '@plataforma/kernel';
import { amountOn, type Line } from './account.ts';
import { chargeOf, type Fact, type FactOf, type Kind } from './fact.ts';

export interface Entry extends Tenant {
  id: string;
  kind: Kind | 'debt_collected';
  reference: string;
  /** Null if it concerns no charge, or if an older release wrote it without the charge. */
  chargeId: string | null;
  occurredAt: string;
  /** The operator's text; null without an operator. */
  memo: string | null;
  lines: readonly Line[];
}

export function entryKey({ kind, reference }: Pick<Entry, 'kind' | 'reference'>): string {
  return `${kind} ${reference}`;
}

/**
 * Compares merchant, charge and amounts of an entry with a repeat of its fact, or with a fact that answers
 * it.
 */
export function agrees(entry: Entry, fact: Fact): boolean {
  if (entry.merchantId !== fact.merchantId || entry.environment !== fact.environment) return false;
  if (entry.chargeId !== null && entry.chargeId !== chargeOf(fact)) return false;
  // Its posting decided the amount.
  if (fact.kind === 'receivable_due') return true;
  if ('netAmount' in fact) return isOfWithdrawal(entry, fact);
  if ('memo' in fact) return entry.memo === fact.memo && changeIn(entry) === fact.amount;
  const fee = fact.kind === 'charge_paid' ? fact.fee : 0;
  return movedBy(entry) === fact.amount && amountOn(entry.lines, 'fees') === fee && isFor(entry, fact.method);
}

/** Compares the fee only where it moves: at the debit and at its return. */
function isOfWithdrawal(
  { kind, lines }: Entry,
  { netAmount, fee }: Pick<FactOf<'withdrawal_created'>, 'netAmount' | 'fee'>,
): boolean {
  const isSameFee = kind === 'withdrawal_completed' || Math.abs(amountOn(lines, 'fees')) === fee;
  return Math.abs(amountOn(lines, 'payouts')) === netAmount && isSameFee;
}

/** Returns the signed amount of an adjustment, and the unsigned amount of any other entry. */
function changeIn(entry: Entry): Cents {
  return entry.kind === 'adjustment' ? -amountOn(entry.lines, 'adjustments') : movedBy(entry);
}

/** Sums the positive lines, because each amount has one positive and one negative line. */
function movedBy({ lines }: Entry): Cents {
  return lines.reduce((total, { amount }) => total + Math.max(0, amount), 0);
}

/** Returns whether all clearing lines have this method. An entry may have none. */
function isFor({ lines }: Entry, method: string): boolean {
  return lines.every(({ account }) => !account.startsWith('clearing:') || account === `clearing:${method}`);
}
