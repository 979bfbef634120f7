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

/** The last wallet entry that was verified, and the wallet's balances after that entry. */
export interface Position extends ChainEnd {
  balances: Balances;
}

export const beginning: Position = { sequence: 0, hash: null, balances: {} };

/**
 * Reasons why the ledger's records do not support a payout:
 * - UNPROVEN_CREDIT: the service that should have caused a credit has no record of it.
 * - WALLET_CHANGED: the balances of the wallet differ from the sum of its entries.
 * - CHAIN_REWRITTEN: entries do not match the hashes of the chain, or the ledger wrote them for no order.
 * - BOOKS_BEHIND: entries that were verified before are missing, for example after a restore.
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
  /** The difference in cents, or null if it is not known. */
  amount: Cents | null;
  /**
   * The position in the wallet's hash chain after which verification continues if operators accept the
   * mismatch. Null if operators cannot accept the mismatch.
   */
  offer: Position | null;
}

type Verdict =
  | { is: 'proven' | 'unfinished'; position: Position }
  | { is: 'mismatch'; mismatch: BooksMismatch };

interface Compared {
  /** The withdrawal's net amount plus its fee, in cents. */
  due: Cents;
  /**
   * The sum of the ledger's credits minus the sum in the records of charges and withdrawals, in cents. Null
   * if the numbers and the sums of the credits agree.
   */
  unproven: Cents | null;
}

/**
 * Verifies one page of the wallet's entries before a payout. Credits that arrive later do not change the
 * result, because they did not pay for this payout.
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
 * Returns by how many cents the sum of the ledger's credits exceeds the service's records. Returns null if
 * the ledger and the records have the same count and the same sum.
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

/**
 * Adds up the differences of the single accounts. A difference of the totals alone would miss money that
 * moved between two accounts.
 */
function differenceBetween(one: Balances, other: Balances): Cents {
  return accountsOf(one, other).reduce(
    (sum, account) => sum + Math.abs((one[account] ?? 0) - (other[account] ?? 0)),
    0,
  );
}

function accountsOf(one: Balances, other: Balances): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])];
}
