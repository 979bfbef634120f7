import type { Cents } from '@plataforma/kernel';

type Balances = Record<string, Cents>;

interface ChainEnd {
  sequence: number;
  hash: string | null;
}

interface PageOfBooks {
  from: ChainEnd;
  reached: ChainEnd;
  head: ChainEnd;
  wallet: Balances;
  moved: Balances;
  misfits: number;
  debit: { amount: Cents } | null;
}

/** The last compared entry of a wallet, and the balances after it. */
export interface Position extends ChainEnd {
  balances: Balances;
}

export const beginning: Position = { sequence: 0, hash: null, balances: {} };

/**
 * - UNPROVEN_CREDIT: no service has a record of a credit.
 * - WALLET_CHANGED: the balances of the wallet differ from the sum of its entries.
 * - CHAIN_REWRITTEN: entries do not match the hashes of the chain.
 * - BOOKS_BEHIND: compared entries are missing, for example after a restore.
 * - NO_DEBIT: the ledger has no debit of this withdrawal.
 */
const mismatchKinds = [
  'UNPROVEN_CREDIT',
  'WALLET_CHANGED',
  'CHAIN_REWRITTEN',
  'BOOKS_BEHIND',
  'NO_DEBIT',
] as const;
export type BooksMismatchKind = (typeof mismatchKinds)[number];

export function isBooksMismatch(kind: string): kind is BooksMismatchKind {
  return mismatchKinds.some((each) => each === kind);
}

export interface BooksMismatch {
  kind: BooksMismatchKind;
  /** The difference in cents; null if it is not known. */
  amount: Cents | null;
  /** The position to resume from after operators accept the books; null if they cannot accept them. */
  offer: Position | null;
}

type Verdict =
  | { is: 'proven' | 'unfinished'; position: Position }
  | { is: 'mismatch'; mismatch: BooksMismatch };

interface Compared {
  /** The net amount and the fee in cents. */
  due: Cents;
  /** Cents of credits that no service has on record; null if each credit is on record. */
  unproven: Cents | null;
}

/**
 * Compares a page of the books for a debited payout. The result stays valid, because later credits did not
 * pay for the payout.
 */
export function judge(position: Position, proof: PageOfBooks, { due, unproven }: Compared): Verdict {
  const { from, reached, head, wallet, moved, misfits, debit } = proof;
  const asItIs = { ...head, balances: wallet };
  const after = { ...reached, balances: sumOf(position.balances, moved) };
  if (head.sequence < position.sequence) return mismatch('BOOKS_BEHIND', null, asItIs);
  if (from.hash !== position.hash) return mismatch('CHAIN_REWRITTEN', null, asItIs);
  if (misfits > 0) return mismatch('CHAIN_REWRITTEN', null, after);
  if (unproven !== null) return mismatch('UNPROVEN_CREDIT', Math.max(0, unproven), after);
  if (reached.sequence < head.sequence) return { is: 'unfinished', position: after };
  if (reached.hash !== head.hash) return mismatch('CHAIN_REWRITTEN', null, asItIs);
  const difference = differenceBetween(wallet, after.balances);
  if (difference !== 0) return mismatch('WALLET_CHANGED', difference, asItIs);
  if (debit?.amount !== due) return mismatch('NO_DEBIT', null, null);
  return { is: 'proven', position: after };
}

/**
 * Returns the cents by which credits of one kind exceed their service's record; null if count and sum are
 * equal.
 */
export function excessOf(
  credits: readonly { amount: Cents }[],
  recorded: { count: number; amount: Cents } | null,
): Cents | null {
  const said = credits.reduce((sum, { amount }) => sum + amount, 0);
  const { count, amount } = recorded ?? { count: 0, amount: 0 };
  return count === credits.length && amount === said ? null : said - amount;
}

function mismatch(kind: BooksMismatchKind, amount: Cents | null, offer: Position | null): Verdict {
  return { is: 'mismatch', mismatch: { kind, amount, offer } };
}

function sumOf(one: Balances, other: Balances): Balances {
  const sums = accountsOf(one, other).map(
    (account) => [account, (one[account] ?? 0) + (other[account] ?? 0)] as const,
  );
  return Object.fromEntries(sums.filter(([, amount]) => amount !== 0));
}

/** Compares account by account, because a move between two accounts is a difference, too. */
function differenceBetween(one: Balances, other: Balances): Cents {
  return accountsOf(one, other).reduce(
    (sum, account) => sum + Math.abs((one[account] ?? 0) - (other[account] ?? 0)),
    0,
  );
}

function accountsOf(one: Balances, other: Balances): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])];
}
