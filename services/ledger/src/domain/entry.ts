import type { Cents, Tenant } from '@plataforma/kernel';
import { amountOn, type Line } from './account.ts';
import { chargeOf, type Fact, type FactOf, type Kind } from './fact.ts';

/** A fact as it stands in the journal. */
export interface Entry extends Tenant {
  id: string;
  kind: Kind | 'debt_collected';
  reference: string;
  /** Null: it is about none, or was written before entries said so. */
  chargeId: string | null;
  occurredAt: string;
  /** An operator's words; null for what no operator did. */
  memo: string | null;
  lines: readonly Line[];
}

/** Tells entries, and facts, apart. */
export function entryKey({ kind, reference }: Pick<Entry, 'kind' | 'reference'>): string {
  return `${kind} ${reference}`;
}

/** Compares merchant, charge and amounts: with a duplicate of the fact, or with a fact that answers the entry. */
export function agrees(entry: Entry, fact: Fact): boolean {
  if (entry.merchantId !== fact.merchantId || entry.environment !== fact.environment) return false;
  if (entry.chargeId !== null && entry.chargeId !== chargeOf(fact)) return false;
  // The amount was decided when it was posted.
  if (fact.kind === 'receivable_due') return true;
  if ('netAmount' in fact) return isOfWithdrawal(entry, fact);
  if ('memo' in fact) return entry.memo === fact.memo && changeIn(entry) === fact.amount;
  const fee = fact.kind === 'charge_paid' ? fact.fee : 0;
  return movedBy(entry) === fact.amount && amountOn(entry.lines, 'fees') === fee && isFor(entry, fact.method);
}

/** The fee moved when the withdrawal was created, and moves again only when it is returned. */
function isOfWithdrawal(
  { kind, lines }: Entry,
  { netAmount, fee }: Pick<FactOf<'withdrawal_created'>, 'netAmount' | 'fee'>,
): boolean {
  const isSameFee = kind === 'withdrawal_completed' || Math.abs(amountOn(lines, 'fees')) === fee;
  return Math.abs(amountOn(lines, 'payouts')) === netAmount && isSameFee;
}

/** Only an adjustment has a sign. */
function changeIn(entry: Entry): Cents {
  return entry.kind === 'adjustment' ? -amountOn(entry.lines, 'adjustments') : movedBy(entry);
}

/** Each amount of a fact stands once with a plus and once with a minus. */
function movedBy({ lines }: Entry): Cents {
  return lines.reduce((total, { amount }) => total + Math.max(0, amount), 0);
}

/** An entry that reaches no clearing account only moves money within the wallet. */
function isFor({ lines }: Entry, method: string): boolean {
  return lines.every(({ account }) => !account.startsWith('clearing:') || account === `clearing:${method}`);
}
