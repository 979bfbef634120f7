import type { Cents, Table } from '@plataforma/kernel';
import type { Leased } from './lease.ts';

/**
 * STORED: written down, nothing has left. ORDERED: an order may have left. UNCONFIRMED: refused, though an earlier order
 * may still be carried out. ACCEPTED: the provider has it. DONE: the money has moved. FAILED: it never will.
 */
export const orderStatuses = ['STORED', 'ORDERED', 'UNCONFIRMED', 'ACCEPTED', 'DONE', 'FAILED'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** `refuse`: the only order there was. `suspect`: a later one, or none can follow. `fail`: the payment itself, for good. */
export const orderVerbs = [
  'leave',
  'cancel',
  'refuse',
  'suspect',
  'give_up',
  'accept',
  'complete',
  'fail',
] as const;
export type OrderVerb = (typeof orderVerbs)[number];

export const orderTransitions: Table<OrderStatus, OrderVerb> = {
  STORED: { leave: 'ORDERED', cancel: 'FAILED' },
  ORDERED: { refuse: 'FAILED', suspect: 'UNCONFIRMED', accept: 'ACCEPTED', complete: 'DONE', fail: 'FAILED' },
  UNCONFIRMED: { give_up: 'FAILED', accept: 'ACCEPTED', complete: 'DONE', fail: 'FAILED' },
  ACCEPTED: { complete: 'DONE', fail: 'FAILED' },
  DONE: {},
  FAILED: {},
};

export function isEnd(status: OrderStatus): boolean {
  return status === 'DONE' || status === 'FAILED';
}

/** What a service stores of an external order, beside what is its own. Times are the database's. */
export interface OrderState extends Leased {
  status: OrderStatus;
  /** What is to move. */
  amount: Cents;
  /** Claims since the status last changed. */
  attempts: number;
  /** When a refusal that may not be the last word came; null but in UNCONFIRMED. */
  unconfirmedSince: Date | null;
  /**
   * When the provider was first known to have the order: from then on it may not forget it. After the end of a FAILED
   * one: it is at work nevertheless, and is looked at until the provider says how that ends. Null after that.
   */
  acceptedAt: Date | null;
  endedAt: Date | null;
  /** By how much the stored `endedAt` is dated ahead of the clock; absent: by nothing. */
  endAheadMs?: number;
  /** The provider's own name of the payment. */
  reference: string | null;
  /** When it is looked at next, once it is not claimed; a claim sets it to its own end. Null: there is nothing to do. */
  dueAt: Date | null;
}

/**
 * What a provider says of an order under our id: taken, its end to come; done; ended without moving money, for good, so
 * that no order under this id ever will; done and sent back by the other side, which people settle. A service's own
 * type may carry more. `reference` and `amount` are null where the provider does not say.
 */
export type ProviderOutcome =
  | { state: 'accepted'; reference: string | null }
  | { state: 'done'; reference: string | null; amount: Cents | null }
  | { state: 'failed' }
  | { state: 'returned'; reference: string | null };

/** It did not take this order, which says nothing of an earlier one under the same id. */
export interface RefusedOrder {
  state: 'refused';
}

/** A contradiction between the provider and the record; it changes no status. One row for each kind and order. */
export interface Alarm {
  kind: 'DONE_AFTER_FAILED' | 'FAILED_AFTER_DONE' | 'DONE_TWICE' | 'ANOTHER_AMOUNT' | 'RETURNED';
  /** The status the provider contradicts. */
  recorded: OrderStatus;
  reference: string | null;
  amount: Cents | null;
}
