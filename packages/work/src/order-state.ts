import type { Cents, Table } from '@plataforma/kernel';
import type { Leased } from './lease.ts';

/**
 * STORED: no order has left. ORDERED: an order may have left. UNCONFIRMED: an order was refused, but an
 * earlier one may still be carried out. ACCEPTED: the provider has the order. DONE: the money has moved.
 * FAILED: the money never moves.
 */
export const orderStatuses = ['STORED', 'ORDERED', 'UNCONFIRMED', 'ACCEPTED', 'DONE', 'FAILED'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/**
 * `refuse`: the only order was refused. `unconfirm`: a later order was refused, or no order may follow.
 * `fail`: the payment failed.
 */
export const orderVerbs = [
  'leave',
  'cancel',
  'refuse',
  'unconfirm',
  'give_up',
  'accept',
  'complete',
  'fail',
] as const;
export type OrderVerb = (typeof orderVerbs)[number];

export const orderTransitions: Table<OrderStatus, OrderVerb> = {
  STORED: { leave: 'ORDERED', cancel: 'FAILED' },
  ORDERED: {
    refuse: 'FAILED',
    unconfirm: 'UNCONFIRMED',
    accept: 'ACCEPTED',
    complete: 'DONE',
    fail: 'FAILED',
  },
  UNCONFIRMED: { give_up: 'FAILED', accept: 'ACCEPTED', complete: 'DONE', fail: 'FAILED' },
  ACCEPTED: { complete: 'DONE', fail: 'FAILED' },
  DONE: {},
  FAILED: {},
};

export function isEnd(status: OrderStatus): boolean {
  return status === 'DONE' || status === 'FAILED';
}

/** The state of an external order that each service stores. Times are the database's. */
export interface OrderState extends Leased {
  status: OrderStatus;
  /** Cents to move. */
  amount: Cents;
  /** Claims since the status last changed. */
  attempts: number;
  /** The time of a refusal that may not be final; null except in UNCONFIRMED. */
  unconfirmedSince: Date | null;
  /**
   * The time when the provider first showed the order, which it must show from then on. After the end of a
   * FAILED order, it means that the provider accepted the order nevertheless. The order is then checked until
   * its end, which sets this to null.
   */
  acceptedAt: Date | null;
  endedAt: Date | null;
  /** The milliseconds that the stored `endedAt` is ahead of the real time; 0 when absent. */
  endAheadMs?: number;
  /** The provider's own id of the payment. */
  reference: string | null;
  /**
   * The time of the next check when no claim is at work; a claim sets it to its own end. Null means no check.
   */
  dueAt: Date | null;
}

/**
 * An order as the provider shows it under our id. `failed`: it moved no money and never will.
 * `sent_back_by_bank`: the other bank returned the money, and operators must act. `reference` and `amount`
 * are null where the provider does not give them. A service's own type may have more fields.
 */
export type ProviderOutcome =
  | { state: 'accepted'; reference: string | null }
  | { state: 'done'; reference: string | null; amount: Cents | null }
  | { state: 'failed' }
  | { state: 'sent_back_by_bank'; reference: string | null };

/** The provider did not take this order; an earlier one under the same id may still be carried out. */
export interface RefusedOrder {
  state: 'refused';
}

/** A contradiction between provider and record; it changes no status. One row for each kind and order. */
export interface Alarm {
  kind: 'DONE_AFTER_FAILED' | 'FAILED_AFTER_DONE' | 'DONE_TWICE' | 'ANOTHER_AMOUNT' | 'RETURNED';
  /** The status the provider contradicts. */
  recorded: OrderStatus;
  reference: string | null;
  amount: Cents | null;
}
