import { type Cents, newId } from '@plataforma/kernel';
import { type Account, type Line, tidy } from './account.ts';
import type { Receivable } from './receivable.ts';
import { copyOf, type Method, methods, pockets, statementBalance, type Wallet } from './wallet.ts';

/** The row types of the contract. The compiler refuses a query or a row with another type. */
export const rowTypes = [
  'CREDIT',
  'DEBIT',
  'FEE',
  'WITHDRAWAL',
  'REFUND',
  'DISPUTE_RESERVE',
  'DISPUTE_RELEASE',
  'DISPUTE_DEFICIT',
] as const;

/** A row of the merchant's statement. Incoming cents are positive, outgoing negative. */
export interface StatementRow {
  type: (typeof rowTypes)[number];
  amount: Cents;
  description: string;
  /** The charge's method; null for a row without a charge. */
  method: Method | null;
  chargeId: string | null;
  withdrawalId: string | null;
}

type RowInput = Pick<StatementRow, 'type' | 'amount' | 'description'> & Partial<StatementRow>;

/** The writes of a fact: lines with the sum zero, rows of the statement, and other changes. */
export interface Posting {
  lines: Line[];
  rows: StatementRow[];
  /** Cents added to the merchant's total of paid charges. */
  earned: Cents;
  /** Cents added to the collectable debt. */
  collectable: Cents;
  /** The charge's receivable after the posting, if it changes. */
  receivable?: Receivable;
}

export interface PostingContext {
  wallet: Wallet;
  receivable: Receivable | undefined;
  /** The lines of the answered entry; empty if the fact answers none. */
  answeredLines: readonly Line[];
  at: Instant;
}

/** Builds a posting with at most one line for each account. Drops lines and rows of zero. */
export function postingWith(
  input: Pick<Posting, 'lines'> & Partial<Omit<Posting, 'rows'>> & { rows?: RowInput[] },
): Posting {
  const { rows = [], earned = 0, collectable = 0 } = input;
  const aboutNothing = { method: null, chargeId: null, withdrawalId: null };
  return {
    ...input,
    lines: tidy(input.lines),
    rows: rows.filter(({ amount }) => amount !== 0).map((row) => ({ ...aboutNothing, ...row })),
    earned,
    collectable,
  };
}

export type PostedRow = StatementRow & { id: string; balanceAfter: Cents };

/**
 * Returns the wallet after a posting, and its rows with the balance after each. Throws if rows and lines
 * disagree.
 */
export function applyPosting(wallet: Wallet, posting: Posting): { wallet: Wallet; rows: PostedRow[] } {
  if (posting.lines.length === 0) throw new RangeError('a posting moves nothing');
  const next = copyOf(wallet);
  for (const { account, amount } of posting.lines) addTo(next, account, amount);
  next.totalEarned = exact(next.totalEarned + posting.earned);
  next.collectableDebt = notNegative(next.collectableDebt + posting.collectable);
  if (next.collectableDebt > next.disputeDebt) throw new Error('more debt is collectable than there is');

  let balanceAfter = statementBalance(wallet);
  const rows = posting.rows.map((row) => {
    balanceAfter = exact(balanceAfter + row.amount);
    if (row.type === 'FEE') next.totalFeesPaid = notNegative(next.totalFeesPaid - row.amount);
    if (row.type === 'WITHDRAWAL') next.totalWithdrawn = notNegative(next.totalWithdrawn - row.amount);
    return { ...row, id: newId(), balanceAfter };
  });
  if (balanceAfter !== statementBalance(next))
    throw new Error('the rows of a posting disagree with its lines');
  return { wallet: next, rows };
}

/** Ignores lines of platform accounts, which change no wallet. */
function addTo(wallet: Wallet, account: Account, amount: Cents): void {
  if (account === 'dispute_debt') wallet.disputeDebt = notNegative(wallet.disputeDebt - amount);
  const pocket = pockets.find((name) => account.startsWith(`${name}:`));
  const method = methods.find((name) => account.endsWith(`:${name}`));
  if (pocket && method) wallet[pocket][method] = notNegative(wallet[pocket][method] + amount);
}

/** Throws below zero, which only a bug causes, because rules refuse uncovered amounts first. */
function notNegative(amount: Cents): Cents {
  if (amount < 0) throw new RangeError('a part of a wallet would fall below zero');
  return exact(amount);
}

/** Throws outside the safe integers, because a cent could get lost there. */
function exact(amount: Cents): Cents {
  if (!Number.isSafeInteger(amount)) throw new RangeError('an amount is outside the safe integers');
  return amount;
}

/**
 * The database's time in UTC with microseconds, `2026-11-21T12:00:00.000000Z`. The text of a later time is
 * greater.
 */
export type Instant = string;

/** The time of the next entry, and the last row, of a locked wallet. */
export interface WritePosition {
  /** Later than each earlier write to the wallet, even if the clock was set back. */
  at: Instant;
  lastRow: number;
}
