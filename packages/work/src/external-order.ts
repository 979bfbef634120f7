import { type Clock, Refusal } from '@plataforma/kernel';
import type { Claimed, Lease } from './lease.ts';
import { type Decision, nextOrderState, type OrderInput, type OrderOptions } from './next-order-state.ts';
import type { OrderState, ProviderOutcome, RefusedOrder } from './order-state.ts';

/** The decision that a service saves and announces, with its input. */
export interface OrderDecision<Outcome extends ProviderOutcome | RefusedOrder> extends Decision {
  input: OrderInput<Outcome>;
}

/** `wait`: the order may not leave before `until`. `cancelled`: the order never leaves. */
export type Readiness = { state: 'ready' } | { state: 'wait'; until: Date } | { state: 'cancelled' };

type Found<Outcome> = Exclude<Outcome, RefusedOrder>;

export interface ExternalOrderPolicy<
  Item extends OrderState,
  Outcome extends ProviderOutcome | RefusedOrder,
  Tx,
  Answer = void,
> extends OrderOptions {
  /** The clock of the database. */
  clock: Clock;
  /** Locks the item's row, and passes its current state to `work`. Commits when `work` has ended. */
  inRow<T>(item: Item, work: (tx: Tx, locked: Item) => Promise<T>): Promise<T>;
  /** Prepares the first order: it may compare the books, and a refund debits here. Repeats after a crash. */
  prepare?(item: Item): Promise<Readiness>;
  /**
   * The only call that may move money, under our own id. It checks the lease just before the first byte
   * leaves. It throws when the answer is lost or indefinite.
   */
  order(item: Item, lease: Lease): Promise<Outcome>;
  /** Finds the order at the provider by our own id; null when the provider has none. */
  find(item: Item): Promise<Found<Outcome> | null>;
  /** Returns false when the data for an order is gone. An order that is not found is then only checked. */
  mayOrderAgain?(item: Item): boolean;
  /**
   * Saves `next` and the alarm, and announces the step `verb`, in the transaction that holds the row's lock.
   * Called for a late result, too. Returns the answer for the caller of `advance`.
   */
  recordDecision(tx: Tx, locked: Item, decision: OrderDecision<Outcome>): Promise<Answer>;
}

export interface ExternalOrder<Item extends OrderState, Answer = void> {
  /**
   * Advances a claimed item as far as possible, and returns the last recorded answer. Throws, once the next
   * check is saved: LeaseOver, PROVIDER_ERROR for an order that the provider no longer shows, or an error of
   * the policy.
   */
  advance(claimed: Claimed<Item>): Promise<Answer>;
}

/**
 * Creates a sender of external orders. Each item has one order at a time, and its order is carried out
 * exactly once, even when processes die and answers are lost.
 */
export function externalOrder<
  Item extends OrderState,
  Outcome extends ProviderOutcome | RefusedOrder,
  Tx = unknown,
  Answer = void,
>(policy: ExternalOrderPolicy<Item, Outcome, Tx, Answer>): ExternalOrder<Item, Answer> {
  interface Saved {
    decision: Decision;
    answer: Answer;
  }

  async function save({ item, lease }: Claimed<Item>, input: OrderInput<Outcome>): Promise<Saved> {
    return policy.inRow(item, async (tx, locked) => {
      const decision = nextOrderState(locked, input, { ...policy, lease, now: policy.clock() });
      return { decision, answer: await policy.recordDecision(tx, locked, { ...decision, input }) };
    });
  }

  /** Sends the first order. Commits before it leaves, so that another replica asks before it orders. */
  async function sendFirstOrder(claimed: Claimed<Item>): Promise<OrderInput<Outcome> | Saved> {
    const readiness = (await policy.prepare?.(claimed.item)) ?? { state: 'ready' };
    if (readiness.state === 'wait') return { kind: 'wait', until: readiness.until };
    if (readiness.state === 'cancelled') return { kind: 'cancelled' };
    const left = await save(claimed, { kind: 'sending' });
    if (left.decision.verb !== 'leave') return left;
    const item = { ...claimed.item, ...left.decision.next };
    return { kind: 'answer', outcome: await policy.order(item, claimed.lease), isFirst: true };
  }

  /** Asks the provider for an order that may have left, before it is sent once more. */
  async function follow({ item, lease }: Claimed<Item>): Promise<OrderInput<Outcome>> {
    const requestedAt = policy.clock();
    const found = await policy.find(item);
    if (found) return { kind: 'answer', outcome: found, isFirst: false };
    if (item.status === 'ACCEPTED') throw forgotten();
    const isOrdered = item.status === 'ORDERED' && (policy.mayOrderAgain?.(item) ?? true);
    if (!isOrdered) return { kind: 'not_found', requestedAt };
    return { kind: 'answer', outcome: await policy.order(item, lease), isFirst: false };
  }

  async function advance(claimed: Claimed<Item>): Promise<Answer> {
    let input: OrderInput<Outcome> | Saved;
    try {
      input = claimed.item.status === 'STORED' ? await sendFirstOrder(claimed) : await follow(claimed);
    } catch (error) {
      await save(claimed, { kind: 'unknown', error });
      throw error;
    }
    return ('kind' in input ? await save(claimed, input) : input).answer;
  }

  return { advance };
}

function forgotten(): Refusal {
  const message = 'the provider does not show an order it had accepted';
  return new Refusal('provider_fault', 'PROVIDER_ERROR', message);
}
