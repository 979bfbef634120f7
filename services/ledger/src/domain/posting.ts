import { type Cents, newId } from '@plataforma/kernel';
import { type Account, type Line, tidy } from './account.ts';
import type { Receivable } from './receivable.ts';
import { copyOf, type Method, methods, pockets, statementBalance, type Wallet } from './wallet.ts';

/** The types of statement rows in the API contract. A query or row with a different type does not compile. */
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

/**
 * A row of the merchant's statement. Its amount in cents is positive for incoming and negative for outgoing
 * money.
 */
export interface StatementRow {
  type: (typeof rowTypes)[number];
  amount: Cents;
  description: string;
  /** The payment method of the charge. Null for a row without a charge. */
  method: Method | null;
  chargeId: string | null;
  withdrawalId: string | null;
}

type RowInput = Pick<StatementRow, 'type' | 'amount' | 'description'> & Partial<StatementRow>;

/** The changes that a fact causes: lines with the sum 0, statement rows and changed totals. */
export interface Posting {
  lines: Line[];
  rows: StatementRow[];
  /** The cents by which the merchant's total of paid charges increases. */
  earned: Cents;
  /** The cents by which the debt of lost disputes increases. */
  collectable: Cents;
  /** The charge's receivable after the posting. Absent if the posting does not change it. */
  receivable?: Receivable;
}

export interface PostingContext {
  wallet: Wallet;
  receivable: Receivable | undefined;
  /**
   * The lines of the earlier entry that this fact ends, such as the opening of a dispute. Empty if this fact
   * ends no entry.
   */
  answeredLines: readonly Line[];
  at: Instant;
}

/** Builds a posting. Merges the lines of each account, and omits lines and rows with the amount 0. */
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
 * Returns the wallet after a posting, and the statement rows with their balances. Throws if the rows' sum
 * differs from the lines' sum.
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

/** Adds a line to the wallet. A line of a platform account changes nothing. */
function addTo(wallet: Wallet, account: Account, amount: Cents): void {
  if (account === 'dispute_debt') wallet.disputeDebt = notNegative(wallet.disputeDebt - amount);
  const pocket = pockets.find((name) => account.startsWith(`${name}:`));
  const method = methods.find((name) => account.endsWith(`:${name}`));
  if (pocket && method) wallet[pocket][method] = notNegative(wallet[pocket][method] + amount);
}

/**
 * Throws if the amount is negative. Only a defect causes this, because the posting rules refuse amounts that
 * are not covered.
 */
function notNegative(amount: Cents): Cents {
  if (amount < 0) throw new RangeError('a part of a wallet would fall below zero');
  return exact(amount);
}

/** Throws if the amount is not a safe integer, because arithmetic could lose cents. */
function exact(amount: Cents): Cents {
  if (!Number.isSafeInteger(amount)) throw new RangeError('an amount is outside the safe integers');
  return amount;
}

/**
 * A time of the database in UTC with microseconds, such as `2026-11-21T12:00:00.000000Z`. Texts of this form
 * sort by time.
 */
export type Instant = string;

/**
 * The time for a wallet's next entry and the number of its last statement row. The wallet's row must be
 * locked.
 */
export interface WritePosition {
  /**
   * A time that is later than all earlier entries of the wallet, even if the database's clock was set back.
   */
  at: Instant;
  lastRow: number;
}
