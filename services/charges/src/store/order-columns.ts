import { fieldsOf } from '@plataforma/data';
import type { Cents } from '@plataforma/kernel';
import { isEnd, type Leased, type OrderState, type OrderStatus } from '@plataforma/work';

/** The columns of an order to a provider, for `columnsOf`. The status is not among them. */
export const ORDER_COLUMNS = `
  amount_cents AS amount, failure, attempts, attempts_before, accepted_at, ended_at,
  doubted_at AS unconfirmedAt, next_check_at, is_watched, lease_token, lease_until,
  provider_reference AS reference, seal`;

/** The scheduler's planning fields. They order no money, so the seal does not cover them. */
const UNSEALED = ['id', 'attempts', 'attemptsBefore', 'nextCheckAt', 'leaseToken', 'leaseUntil', 'seal'];

/** Returns the fields of an order that its seal covers. */
export function sealedFieldsOf(columns: readonly string[]): string[] {
  return fieldsOf(columns).filter((field) => !UNSEALED.includes(field));
}

export interface OrderRow extends Leased {
  amount: Cents;
  failure: string | null;
  /** The number of claims since the order was stored. */
  attempts: number;
  /** The part of `attempts` that was counted before the last change of the order's status. */
  attemptsBefore: number;
  acceptedAt: Date | null;
  endedAt: Date | null;
  unconfirmedAt: Date | null;
  nextCheckAt: Date;
  isWatched: boolean;
  /** The provider's id of the returned money: the rtrId of API Pix. */
  reference: string | null;
  seal: string | null;
}

/** Fields of a stored order that `OrderState` does not contain. */
export type StoredOrder = Pick<OrderRow, 'unconfirmedAt' | 'isWatched' | 'seal'>;

export function orderStateOf(row: OrderRow, status: OrderStatus): OrderState {
  const { amount, acceptedAt, endedAt, reference, leaseToken, leaseUntil } = row;
  return {
    ...{ status, amount, acceptedAt, endedAt, reference, leaseToken, leaseUntil },
    attempts: row.attempts - row.attemptsBefore,
    unconfirmedSince: status === 'UNCONFIRMED' ? row.unconfirmedAt : null,
    dueAt: isEnd(status) && !row.isWatched ? null : row.nextCheckAt,
  };
}

/** The assignments of an order's columns from $2 to $12, in the order of the values of `orderValues`. */
export const SET_ORDER = `
  failure = $2, attempts_before = attempts - $3, accepted_at = $4, ended_at = $5, doubted_at = $6,
  next_check_at = coalesce($7, next_check_at), is_watched = $8, lease_token = $9, lease_until = $10,
  provider_reference = $11, seal = $12`;

type SealedState = Pick<
  OrderRow,
  'failure' | 'acceptedAt' | 'endedAt' | 'unconfirmedAt' | 'isWatched' | 'reference'
>;

/**
 * Returns the sealed fields of an order's next state. A failed order keeps its earlier times of acceptance
 * and refusal, which `next` lacks, because operators need these times.
 */
export function storedStateOf(
  before: OrderState & Pick<StoredOrder, 'unconfirmedAt'>,
  next: OrderState & { failure: string | null },
): SealedState {
  const { failure, endedAt, unconfirmedSince, dueAt, reference } = next;
  const unconfirmedAt = unconfirmedSince ?? (next.status === 'FAILED' ? before.unconfirmedAt : null);
  const isWatched = isEnd(next.status) && dueAt !== null;
  return { failure, acceptedAt: acceptedAtOf(before, next), endedAt, unconfirmedAt, isWatched, reference };
}

export function orderValues(
  { failure, acceptedAt, endedAt, unconfirmedAt, isWatched, reference }: SealedState,
  { attempts, dueAt, leaseToken, leaseUntil }: OrderState,
  seal: string | null,
): unknown[] {
  const times = [acceptedAt, endedAt, unconfirmedAt, dueAt];
  return [failure, attempts, ...times, isWatched, leaseToken, leaseUntil, reference, seal];
}

function acceptedAtOf(before: OrderState, { status, acceptedAt, endedAt }: OrderState): Date | null {
  if (acceptedAt) return acceptedAt;
  if (status === 'DONE') return endedAt;
  const wasBeforeItsEnd =
    before.endedAt === null || (before.acceptedAt !== null && before.acceptedAt < before.endedAt);
  return wasBeforeItsEnd ? before.acceptedAt : null;
}
