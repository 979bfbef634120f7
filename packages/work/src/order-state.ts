import type { Cents, Table } from '@plataforma/kernel';
import type { Leased } from './lease.ts';

/**
 * STORED: no order has left. ORDERED: an order may have left. UNCONFIRMED: refused, though an earlier order
 * may still be carried out. ACCEPTED: the provider has it. DONE: the money has moved. FAILED: it never will.
 */
export const orderStatuses = ['STORED', 'ORDERED', 'UNCONFIRMED', 'ACCEPTED', 'DONE', 'FAILED'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** `refuse`: of the only order. `unconfirm`: of a later one, or none may follow. `fail`: of the payment. */
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
   * When the provider first showed the order: from then on it must show it. After the end of a FAILED order:
   * the provider accepted it nevertheless, and it is checked until its end, which sets this to null.
   */
  acceptedAt: Date | null;
  endedAt: Date | null;
  /** The milliseconds that the stored `endedAt` is ahead of the real time; 0 when absent. */
  endAheadMs?: number;
  /** The provider's own id of the payment. */
  reference: string | null;
  /** The time of the next check, once no claim is at work; a claim sets it to its own end. Null: no check. */
  dueAt: Date | null;
}

/**
 * An order as the provider shows it under our id. `failed`: it moved no money and never will.
 * `sent_back_by_bank`: it was done and then returned by the other bank, which needs people. `reference` and
 * `amount` are null where the provider does not give them. A service's own type may carry more.
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

/** A contradiction between the provider and the record; it changes no status. One row for each kind and order. */
export interface Alarm {
  kind: 'DONE_AFTER_FAILED' | 'FAILED_AFTER_DONE' | 'DONE_TWICE' | 'ANOTHER_AMOUNT' | 'RETURNED';
  /** The status the provider contradicts. */
  recorded: OrderStatus;
  reference: string | null;
  amount: Cents | null;
}
