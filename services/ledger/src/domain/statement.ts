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
  /** Present in rows of the available balance. */
  movement?: Movement | undefined;
}

/** A row with the names of its subject at the merchant and the bank. */
export interface NamedTransaction extends WalletTransaction {
  entryKind: string;
  /** The time of the fact, such as the `paidAt` of a payment. `createdAt` is the time of the posting. */
  occurredAt: Date;
  externalId: string | null;
  /** The id of the Pix that paid the charge, returned the refund or paid the withdrawal. */
  endToEndId: string | null;
  /** The acquirer's ids of the card payment. */
  nsu: string | null;
  authorizationCode: string | null;
  payerName: string | null;
  payeeName: string | null;
  /** The refund, for the rows of a refund or its refusal. */
  refundId: string | null;
  /** The time when the money of a payment becomes available; null for other rows. */
  settlesAt: Date | null;
  /** The dispute, and its outcome once it is decided. */
  disputeId: string | null;
  disputeOutcome: 'WON' | 'LOST' | 'CANCELLED' | null;
  disputeResolvedAt: Date | null;
}

/** Names of a charge, refund or withdrawal, stored outside the journal. */
export interface SubjectNames {
  subjectId: string;
  /** The id of the Pix that returned a refund. */
  endToEndId: string | null;
  nsu: string | null;
  authorizationCode: string | null;
  /** The payer of a charge, or the payee of a withdrawal. */
  personName: string | null;
}

/** Returns the charge's externalId from a row's description, because older entries have it only there. */
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

/** The categories, each with the name in the database's counters. */
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

/** The rows of one category, counted from the first row of the wallet. */
export interface CategoryCount {
  category: string;
  /** The number of rows before the period, and the ordinal of the last of them, or 0. */
  rowsBefore: number;
  lastBefore: number;
  /** The same for the end of the period. */
  rowsUntil: number;
  lastUntil: number;
}

/** The range of ordinals of a period in a wallet, and the number of its selected rows. */
export interface Span {
  /** The range excludes `after` and includes `last`. */
  after: number;
  last: number;
  /** The selected categories that have rows in the range. */
  categories: string[];
  total: number;
  /** True if each row of the range is selected. */
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

/** The number of selected rows of one day, and the ordinal of the last of them. */
export interface DayCount {
  rows: number;
  last: number;
}

/**
 * Skips the newest whole days within `offset` rows. Returns the number of skipped rows, and the ordinal at
 * which reading starts.
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
