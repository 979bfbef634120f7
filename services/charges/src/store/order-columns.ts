import type { Cents } from '@plataforma/kernel';
import { isEnd, type OrderState, type OrderStatus } from '@plataforma/work';

/** What a table holds of an order to a provider, beside its status. */
export const ORDER_COLUMNS = [
  'attempts',
  'attempts_before',
  'accepted_at',
  'ended_at',
  'doubted_at',
  'next_check_at',
  'is_watched',
  'lease_token',
  'lease_until',
] as const;

export interface OrderRow {
  amount_cents: Cents;
  attempts: number;
  attempts_before: number;
  accepted_at: Date | null;
  ended_at: Date | null;
  doubted_at: Date | null;
  next_check_at: Date;
  is_watched: boolean;
  lease_token: string | null;
  lease_until: Date | null;
}

/** Providers name no refund but by our own id. */
export function orderStateOf(row: OrderRow, status: OrderStatus): OrderState {
  return {
    status,
    amount: row.amount_cents,
    attempts: row.attempts - row.attempts_before,
    unconfirmedSince: status === 'UNCONFIRMED' ? row.doubted_at : null,
    acceptedAt: row.accepted_at,
    endedAt: row.ended_at,
    reference: null,
    dueAt: isEnd(status) && !row.is_watched ? null : row.next_check_at,
    leaseToken: row.lease_token,
    leaseUntil: row.lease_until,
  };
}

/** From $2 on, as `orderValues` orders them. */
export const SET_ORDER = `
  failure = $2, attempts_before = attempts - $3, accepted_at = $4, ended_at = $5, doubted_at = $6,
  next_check_at = coalesce($7, next_check_at), is_watched = $8, lease_token = $9, lease_until = $10`;

/** `next` with what the saga forgets and operators still read: that it was accepted, or doubted, before it failed. */
export function orderValues(
  before: OrderState & { doubtedAt: Date | null },
  next: OrderState & { failure: string | null },
): unknown[] {
  const { failure, attempts, endedAt, unconfirmedSince, dueAt, leaseToken, leaseUntil } = next;
  const doubtedAt = unconfirmedSince ?? (next.status === 'FAILED' ? before.doubtedAt : null);
  const isWatched = isEnd(next.status) && dueAt !== null;
  const times = [acceptedAtOf(before, next), endedAt, doubtedAt, dueAt];
  return [failure, attempts, ...times, isWatched, leaseToken, leaseUntil];
}

function acceptedAtOf(before: OrderState, { status, acceptedAt, endedAt }: OrderState): Date | null {
  if (acceptedAt) return acceptedAt;
  if (status === 'DONE') return endedAt;
  const wasBeforeItsEnd =
    before.endedAt === null || (before.acceptedAt !== null && before.acceptedAt < before.endedAt);
  return wasBeforeItsEnd ? before.acceptedAt : null;
}
