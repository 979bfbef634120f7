import { type Cents, newId } from '@plataforma/kernel';
import { type Account, type Line, tidy } from './account.ts';
import type { Receivable } from './receivable.ts';
import { copyOf, type Method, methods, pockets, statementBalance, type Wallet } from './wallet.ts';

/** The contract's: the compiler refuses a query that names another one, and a row that the view does not know. */
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

/** A row the merchant reads: incoming positive, outgoing negative. */
export interface StatementRow {
  type: (typeof rowTypes)[number];
  amount: Cents;
  description: string;
  /** The charge's method; null for a row without a charge. */
  method: Method | null;
  chargeId: string | null;
  withdrawalId: string | null;
}

/** A row with the fields that its fact sets; the others are null. */
type RowInput = Pick<StatementRow, 'type' | 'amount' | 'description'> & Partial<StatementRow>;

/** The writes of a fact: lines that add up to zero, rows of the statement, and other changes. */
export interface Posting {
  lines: Line[];
  rows: StatementRow[];
  /** Cents added to the merchant's total of paid charges. */
  earned: Cents;
  /** Cents added to the debt that is to be collected. */
  collectable: Cents;
  /** The charge's receivable afterwards, if that changes. */
  receivable?: Receivable;
}

/** The part of the books that a posting function reads. */
export interface PostingContext {
  wallet: Wallet;
  /** The receivable of the fact's charge. */
  receivable: Receivable | undefined;
  /** The lines of the entry that the fact answers; none when it answers nothing. */
  answeredLines: readonly Line[];
  /** The time of the entry. */
  at: Instant;
}

/** A posting with one line an account; a line or row of nothing is not written. */
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

/** Returns the wallet after a posting, and its rows with the balance after each. */
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

/** Lines on the platform's accounts change no wallet. */
function addTo(wallet: Wallet, account: Account, amount: Cents): void {
  if (account === 'dispute_debt') wallet.disputeDebt = notNegative(wallet.disputeDebt - amount);
  const pocket = pockets.find((name) => account.startsWith(`${name}:`));
  const method = methods.find((name) => account.endsWith(`:${name}`));
  if (pocket && method) wallet[pocket][method] = notNegative(wallet[pocket][method] + amount);
}

/** Throws below zero: only a bug posts more than a pocket holds, because requests were refused before. */
function notNegative(amount: Cents): Cents {
  if (amount < 0) throw new RangeError('a part of a wallet would fall below zero');
  return exact(amount);
}

/** Beyond the safe integers a cent may get lost without a trace: better no posting than a wrong one. */
function exact(amount: Cents): Cents {
  if (!Number.isSafeInteger(amount)) throw new RangeError('an amount left the safe integers');
  return amount;
}

/** The database's time in UTC with its microseconds, `2026-11-21T12:00:00.000000Z`: the later is the greater text. */
export type Instant = string;

/** The time and the last row after which a transaction writes to a wallet that it has locked. */
export interface WritePosition {
  /** Later than all earlier writes to the wallet, even after the machine's clock was set back. */
  at: Instant;
  /** The number of the wallet's last row. */
  lastRow: number;
}
