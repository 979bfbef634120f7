import type { Cents } from '@plataforma/kernel';
import type { Movement } from './movement.ts';
import { rowTypes, type StatementRow } from './posting.ts';
import { type Method, methods } from './wallet.ts';

const flows = ['in', 'out'] as const;

type Type = StatementRow['type'];
type Flow = (typeof flows)[number];

export interface WalletTransaction {
  id: string;
  type: Type;
  amount: Cents;
  description: string;
  createdAt: Date;
  chargeId: string | null;
  withdrawalId: string | null;
  paymentMethod: Method | null;
  balanceAfter: Cents;
  /**
   * The effect on the available balance. Only rows of the statement of the available balance have this field.
   */
  movement?: Movement | undefined;
}

/**
 * A row with data about its charge, refund or withdrawal, such as the externalId, the bank's id and the
 * payer's name.
 */
export interface NamedTransaction extends WalletTransaction {
  entryKind: string;
  /**
   * The time when the fact happened, such as a payment's `paidAt`. `createdAt` is the time when the ledger
   * posted it.
   */
  occurredAt: Date;
  externalId: string | null;
  /** The end-to-end id of the Pix that paid the charge, returned the refund or paid the withdrawal. */
  endToEndId: string | null;
  /**
   * The acquirer's id of a card payment. `authorizationCode` is the code with which the issuer approved it.
   */
  nsu: string | null;
  authorizationCode: string | null;
  payerName: string | null;
  payeeName: string | null;
  /** The refund's id, in rows of a refund or its refusal. */
  refundId: string | null;
  /** The time when a payment's money becomes available. Null in other rows. */
  settlesAt: Date | null;
  /** The dispute's id. `disputeOutcome` is its result, and null until the dispute is decided. */
  disputeId: string | null;
  disputeOutcome: 'WON' | 'LOST' | 'CANCELLED' | null;
  disputeResolvedAt: Date | null;
}

/**
 * The names and ids of a charge, refund or withdrawal. No hash covers them, because they are stored outside
 * of the journal.
 */
export interface SubjectNames {
  subjectId: string;
  /** The end-to-end id of the Pix that returned a refund's money. */
  endToEndId: string | null;
  nsu: string | null;
  authorizationCode: string | null;
  /** The name of a charge's payer or of a withdrawal's payee. */
  personName: string | null;
}

/**
 * Returns the charge's externalId from a row's description, because older entries contain it nowhere else.
 */
export function externalIdIn({
  chargeId,
  description,
}: Pick<WalletTransaction, 'chargeId' | 'description'>): string | null {
  if (chargeId === null) return null;
  return /^(?:Fee of |Refund of |Settlement of )?(?:Pix|Card) charge (.+)$/s.exec(description)?.[1] ?? null;
}

interface Narrowing {
  type?: Type | undefined;
  flow?: Flow | undefined;
  paymentMethod?: Method | undefined;
}

/** The categories of statement rows. `name` is the category's key in the counters table. */
const categories = rowTypes.flatMap((type) =>
  [...methods, null].flatMap((method) =>
    flows.map((flow) => ({ name: `${type}:${method ?? ''}:${flow}`, type, method, flow })),
  ),
);

export function categoriesOf({ type, flow, paymentMethod }: Narrowing): string[] {
  return categories
    .filter((category) => type === undefined || category.type === type)
    .filter((category) => flow === undefined || category.flow === flow)
    .filter((category) => paymentMethod === undefined || category.method === paymentMethod)
    .map(({ name }) => name);
}

export const everyCategory = categoriesOf({});

/** The counts of rows of one category. Both counts start at the wallet's first row. */
export interface CategoryCount {
  category: string;
  /** The number of rows before the period. `lastBefore` is the ordinal of the last of these rows, or 0. */
  rowsBefore: number;
  lastBefore: number;
  /**
   * The number of rows before the period's end. `lastUntil` is the ordinal of the last of these rows, or 0.
   */
  rowsUntil: number;
  lastUntil: number;
}

/** The ordinals of a wallet's rows in a period, and the number of selected rows among them. */
export interface Span {
  /** The range begins after the ordinal `after` and ends with the ordinal `last`. */
  after: number;
  last: number;
  /** The selected categories that occur in the range. */
  categories: string[];
  total: number;
  /** True if all rows in the range are selected. */
  isWhole: boolean;
}

export function spanOf(counts: readonly CategoryCount[], included: readonly string[]): Span {
  const found = counts.filter(
    ({ category, rowsBefore, rowsUntil }) => rowsUntil > rowsBefore && included.includes(category),
  );
  const after = Math.max(0, ...counts.map(({ lastBefore }) => lastBefore));
  const last = Math.max(0, ...counts.map(({ lastUntil }) => lastUntil));
  const total = found.reduce((sum, { rowsBefore, rowsUntil }) => sum + rowsUntil - rowsBefore, 0);
  const isWhole = total === last - after;
  return { after, last, categories: found.map(({ category }) => category), total, isWhole };
}

export function spanBehind(span: Span, ordinal: number): Span {
  return { ...span, last: Math.min(span.last, ordinal - 1) };
}

/** The number of selected rows of one day. `last` is the ordinal of the last of these rows. */
export interface DayCount {
  rows: number;
  last: number;
}

/**
 * Skips whole days, the newest first, as long as at most `offset` rows are skipped. Returns the number of
 * skipped rows, and the ordinal of the first row to read (0 if no row is left).
 */
export function skipDays(
  newestFirst: readonly DayCount[],
  offset: number,
): { skipped: number; last: number } {
  let skipped = 0;
  for (const { rows, last } of newestFirst) {
    if (skipped + rows > offset) return { skipped, last };
    skipped += rows;
  }
  return { skipped, last: 0 };
}
