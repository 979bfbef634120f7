import type { Cents } from '@plataforma/kernel';

type Balances = Record<string, Cents>;

interface ChainEnd {
  sequence: number;
  hash: string | null;
}

/** A page of a wallet's chain, as the ledger answers it. */
interface PageOfBooks {
  from: ChainEnd;
  reached: ChainEnd;
  head: ChainEnd;
  wallet: Balances;
  moved: Balances;
  misfits: number;
  debit: { amount: Cents } | null;
}

/** The entry up to which the books of a wallet were compared, and the balances there. */
export interface Position extends ChainEnd {
  balances: Balances;
}

export const beginning: Position = { sequence: 0, hash: null, balances: {} };

/**
 * UNPROVEN_CREDIT: the service that a credit comes from has no such record. WALLET_CHANGED: the wallet holds other than
 * its entries come to. CHAIN_REWRITTEN: entries are no longer those that were compared. BOOKS_BEHIND: the newest of these
 * are gone, as after a restore. NO_DEBIT: the money of this withdrawal was not taken.
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
  /** The difference in cents; null where it is not known. */
  amount: Cents | null;
  /** The position to resume from once an operator accepts the books; null: they cannot be accepted. */
  offer: Position | null;
}

type Verdict =
  | { is: 'proven' | 'unfinished'; position: Position }
  | { is: 'mismatch'; mismatch: BooksMismatch };

interface Compared {
  /** The withdrawal's net amount and its fee. */
  due: Cents;
  /** Cents of credits that no service has on record; null: every credit is on record. */
  unproven: Cents | null;
}

/**
 * Compares a page of the books for a payout that is debited already. Later credits paid nothing of it, so the
 * order may leave at any later time.
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

/** Returns by how much credits of one kind exceed the record of their service; null: they are equal. */
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

/** Compares account by account, so that money that only moved between pockets is a difference, too. */
function differenceBetween(one: Balances, other: Balances): Cents {
  return accountsOf(one, other).reduce(
    (sum, account) => sum + Math.abs((one[account] ?? 0) - (other[account] ?? 0)),
    0,
  );
}

function accountsOf(one: Balances, other: Balances): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])];
}
