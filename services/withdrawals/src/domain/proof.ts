import type { Cents } from '@plataforma/kernel';

type Balances = Record<string, Cents>;

interface ChainEnd {
  sequence: number;
  hash: string | null;
}

/** A page of the ledger's chain of a wallet, as the ledger answers for it. */
interface PageOfBooks {
  from: ChainEnd;
  reached: ChainEnd;
  head: ChainEnd;
  wallet: Balances;
  moved: Balances;
  misfits: number;
  debit: { amount: Cents } | null;
}

/** How far the books of a wallet were compared, and what it held there. */
export interface Position extends ChainEnd {
  balances: Balances;
}

export const beginning: Position = { sequence: 0, hash: null, balances: {} };

/**
 * UNPROVEN_CREDIT: the service that a credit comes from has no such record. WALLET_CHANGED: the wallet holds other than
 * its entries come to. CHAIN_REWRITTEN: entries are no longer those that were compared. BOOKS_BEHIND: the newest of these
 * are gone, as after a restore. NO_DEBIT: the money of this withdrawal was not taken.
 */
const doubts = ['UNPROVEN_CREDIT', 'WALLET_CHANGED', 'CHAIN_REWRITTEN', 'BOOKS_BEHIND', 'NO_DEBIT'] as const;
export type DoubtKind = (typeof doubts)[number];

export function isDoubt(kind: string): kind is DoubtKind {
  return doubts.some((doubt) => doubt === kind);
}

export interface Doubt {
  kind: DoubtKind;
  /** By how much, where that can be said. */
  amount: Cents | null;
  /** Where comparing goes on once an operator says that the books are right; null: nowhere, it may not be paid. */
  offer: Position | null;
}

type Verdict = { is: 'proven' | 'unfinished'; position: Position } | { is: 'doubted'; doubt: Doubt };

interface Compared {
  /** What the withdrawal pays, with its fee. */
  due: Cents;
  /** What no record of a service accounts for; null: every credit has one. */
  unproven: Cents | null;
}

/**
 * What a page of the books proves of a payout whose money was taken before. A credit that comes afterwards paid nothing
 * of it, so the order may leave at any later time.
 */
export function judge(position: Position, proof: PageOfBooks, { due, unproven }: Compared): Verdict {
  const { from, reached, head, wallet, moved, misfits, debit } = proof;
  const asItIs = { ...head, balances: wallet };
  const after = { ...reached, balances: sumOf(position.balances, moved) };
  if (head.sequence < position.sequence) return doubted('BOOKS_BEHIND', null, asItIs);
  if (from.hash !== position.hash) return doubted('CHAIN_REWRITTEN', null, asItIs);
  if (misfits > 0) return doubted('CHAIN_REWRITTEN', null, after);
  if (unproven !== null) return doubted('UNPROVEN_CREDIT', Math.max(0, unproven), after);
  if (reached.sequence < head.sequence) return { is: 'unfinished', position: after };
  if (reached.hash !== head.hash) return doubted('CHAIN_REWRITTEN', null, asItIs);
  const difference = differenceBetween(wallet, after.balances);
  if (difference !== 0) return doubted('WALLET_CHANGED', difference, asItIs);
  if (debit?.amount !== due) return doubted('NO_DEBIT', null, null);
  return { is: 'proven', position: after };
}

/** By how much credits of one kind are more than what a service has on record of them; null: they are just that. */
export function excessOf(
  credits: readonly { amount: Cents }[],
  recorded: { count: number; amount: Cents } | null,
): Cents | null {
  const said = credits.reduce((sum, { amount }) => sum + amount, 0);
  const { count, amount } = recorded ?? { count: 0, amount: 0 };
  return count === credits.length && amount === said ? null : said - amount;
}

function doubted(kind: DoubtKind, amount: Cents | null, offer: Position | null): Verdict {
  return { is: 'doubted', doubt: { kind, amount, offer } };
}

function sumOf(one: Balances, other: Balances): Balances {
  const sums = accountsOf(one, other).map(
    (account) => [account, (one[account] ?? 0) + (other[account] ?? 0)] as const,
  );
  return Object.fromEntries(sums.filter(([, amount]) => amount !== 0));
}

/** Of all accounts, so that money that only changed its pocket is one, too. */
function differenceBetween(one: Balances, other: Balances): Cents {
  return accountsOf(one, other).reduce(
    (sum, account) => sum + Math.abs((one[account] ?? 0) - (other[account] ?? 0)),
    0,
  );
}

function accountsOf(one: Balances, other: Balances): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])];
}
