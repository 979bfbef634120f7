import type { Cents, Table } from '@plataforma/kernel';
import type { Leased } from './lease.ts';

/**
 * STORED: no order was sent. ORDERED: an order may have been sent. UNCONFIRMED: an order was refused, but an
 * earlier order may still be carried out. ACCEPTED: the provider has the order. DONE: the money has moved.
 * FAILED: the money will not move.
 */
export const orderStatuses = ['STORED', 'ORDERED', 'UNCONFIRMED', 'ACCEPTED', 'DONE', 'FAILED'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/**
 * The steps of an order. `send`: the order is about to be sent. `refuse`: the only order was refused.
 * `unconfirm`: a later order was refused, or no further order may be sent. `fail`: the payment failed.
 */
export const orderVerbs = [
  'send',
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
  STORED: { send: 'ORDERED', cancel: 'FAILED' },
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

/** The state of an external order as each service stores it. All times are by the database's clock. */
export interface OrderState extends Leased {
  status: OrderStatus;
  amount: Cents;
  /** The number of claims since the status last changed. */
  attempts: number;
  /** The time of a refusal that may not be final. Null in every status except UNCONFIRMED. */
  unconfirmedSince: Date | null;
  /**
   * The time when the provider accepted the order. Checks of an ACCEPTED order must then find it. In a FAILED
   * order, a time at or after `endedAt` means that the provider accepted the order after the failure, so the
   * checks continue.
   */
  acceptedAt: Date | null;
  endedAt: Date | null;
  /** The milliseconds by which the stored `endedAt` is ahead of real time. The default is 0. */
  endAheadMs?: number;
  /** The provider's own id of the payment. Null while it is not known. */
  reference: string | null;
  /**
   * The time of the next check. A claim sets it to the end of its lease. Null means that no check follows.
   */
  dueAt: Date | null;
}

/**
 * An order as the provider shows it under our id. `failed`: it moved no money and never will.
 * `sent_back_by_bank`: the receiver's bank returned the money, and operators must act. `reference` and
 * `amount` are null if the provider does not give them. A service may add fields to this type.
 */
export type ProviderOutcome =
  | { state: 'accepted'; reference: string | null }
  | { state: 'done'; reference: string | null; amount: Cents | null }
  | { state: 'failed' }
  | { state: 'sent_back_by_bank'; reference: string | null };

/** The provider refused this order. An earlier order under the same id may still be carried out. */
export interface RefusedOrder {
  state: 'refused';
}

/**
 * A contradiction between the provider and our record. It does not change the status of the order. Each order
 * has at most one alarm of each kind.
 */
export interface Alarm {
  kind: 'DONE_AFTER_FAILED' | 'FAILED_AFTER_DONE' | 'DONE_TWICE' | 'ANOTHER_AMOUNT' | 'RETURNED';
  /** The recorded status that the provider contradicts. */
  recorded: OrderStatus;
  reference: string | null;
  amount: Cents | null;
}
