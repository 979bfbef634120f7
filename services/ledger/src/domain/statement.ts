import type { Cents } from '@plataforma/kernel';
import type { Movement } from './movement.ts';
import { rowTypes, type StatementRow } from './posting.ts';
import { type Method, methods } from './wallet.ts';

const flows = ['in', 'out'] as const;

type Type = StatementRow['type'];
type Flow = (typeof flows)[number];

/** A row as the merchant reads it. */
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
  /** Rows of the available balance have it. */
  movement?: Movement | undefined;
}

/** The same with what merchant and bank call what it is about. */
export interface NamedTransaction extends WalletTransaction {
  /** The kind of the journal entry that the row belongs to. */
  entryKind: string;
  /** When it happened: of a charge's payment its `paidAt`. It was posted at `createdAt`. */
  occurredAt: Date;
  externalId: string | null;
  /** The id of the Pix that paid the charge, returned the refund or paid the withdrawal. */
  endToEndId: string | null;
  /** The acquirer's ids of the card payment. */
  nsu: string | null;
  authorizationCode: string | null;
  payerName: string | null;
  payeeName: string | null;
  /** Names the refund of a refund's row or refusal; null for every other row. */
  refundId: string | null;
  /** When the money of a payment becomes available; null for what is no payment. */
  settlesAt: Date | null;
  /** The dispute of a row, and its outcome once it is decided. */
  disputeId: string | null;
  disputeOutcome: 'WON' | 'LOST' | 'CANCELLED' | null;
  disputeResolvedAt: Date | null;
}

/** Names of a charge, refund or withdrawal that are stored beside the journal. */
export interface SubjectNames {
  subjectId: string;
  /** The id of the Pix that returned a refund. */
  endToEndId: string | null;
  nsu: string | null;
  authorizationCode: string | null;
  /** The payer of a charge, or the payee of a withdrawal. */
  personName: string | null;
}

/** Entries of before they had names have the charge's externalId in the description of their rows alone. */
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

/** Each with the name under which the database counts its rows. */
const categories = rowTypes.flatMap((type) =>
  [...methods, null].flatMap((method) =>
    flows.map((flow) => ({ name: `${type}:${method ?? ''}:${flow}`, type, method, flow })),
  ),
);

/** The categories that type, flow and payment method leave. */
export function categoriesOf({ type, flow, paymentMethod }: Narrowing): string[] {
  return categories
    .filter((category) => type === undefined || category.type === type)
    .filter((category) => flow === undefined || category.flow === flow)
    .filter((category) => paymentMethod === undefined || category.method === paymentMethod)
    .map(({ name }) => name);
}

export const everyCategory = categoriesOf({});

/** The rows of one category in a period, counted from the first row of the wallet on. */
export interface CategoryCount {
  category: string;
  /** How many there are before the period, and the ordinal of the last of them; 0 when there are none. */
  rowsBefore: number;
  lastBefore: number;
  /** The same up to the end of the period. */
  rowsUntil: number;
  lastUntil: number;
}

/** Where in a wallet the rows of a period lie, and how many of them are wanted. */
export interface Span {
  /** The period begins behind this ordinal and ends with that one. */
  after: number;
  last: number;
  /** Those wanted that have rows in it. */
  categories: string[];
  total: number;
  /** Every row in it is wanted. */
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

/** Returns the part of a span that is older than the row with this ordinal. */
export function spanBehind(span: Span, ordinal: number): Span {
  return { ...span, last: Math.min(span.last, ordinal - 1) };
}

/** The wanted rows of one day, and the ordinal of the last of them. */
export interface DayCount {
  rows: number;
  last: number;
}

/**
 * Skips the newest days that lie wholly before `offset`: how many rows that are, and the ordinal from which on it
 * is left to look.
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
