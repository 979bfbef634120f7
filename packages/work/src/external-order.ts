import { type Clock, Refusal } from '@plataforma/kernel';
import type { Claimed, Lease } from './lease.ts';
import { type Decision, nextOrderState, type OrderInput, type OrderOptions } from './next-order-state.ts';
import type { OrderState, ProviderOutcome, RefusedOrder } from './order-state.ts';

/**
 * A decision about an order, with the input that led to the decision. The service saves and announces the
 * decision.
 */
export interface OrderDecision<Outcome extends ProviderOutcome | RefusedOrder> extends Decision {
  input: OrderInput<Outcome>;
}

/** Whether the order may be sent for the first time. `wait`: not before `until`. `cancelled`: never. */
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
  /** Locks the item's row and passes the row's current state to `work`. Commits when `work` has ended. */
  inRow<T>(item: Item, work: (tx: Tx, locked: Item) => Promise<T>): Promise<T>;
  /**
   * Runs before the order is sent for the first time, and returns whether it may be sent. For instance, a
   * refund debits the merchant here. After a crash, the function runs again.
   */
  prepare?(item: Item): Promise<Readiness>;
  /**
   * Sends the order under our own id; this is the only call that may move money. Checks the lease right
   * before the first byte is sent. Throws when the answer is lost or does not show the outcome.
   */
  order(item: Item, lease: Lease): Promise<Outcome>;
  /** Finds the order at the provider by our own id. Returns null when the provider has no such order. */
  find(item: Item): Promise<Found<Outcome> | null>;
  /**
   * Returns false when the service no longer stores the data for sending the order again. The service then
   * only checks an order that the provider does not show.
   */
  mayOrderAgain?(item: Item): boolean;
  /**
   * Saves `next` and the alarm, and announces the step `verb`, in the transaction that locks the row. Also
   * runs for a result that follows a later claim. Returns the answer that `advance` returns to its caller.
   */
  recordDecision(tx: Tx, locked: Item, decision: OrderDecision<Outcome>): Promise<Answer>;
}

export interface ExternalOrder<Item extends OrderState, Answer = void> {
  /**
   * Advances a claimed item as far as possible, and returns the last recorded answer. After an error, saves
   * the time of the next check and throws the error. Throws PROVIDER_ERROR if the provider no longer shows an
   * accepted order.
   */
  advance(claimed: Claimed<Item>): Promise<Answer>;
}

/**
 * Creates a sender of external orders. An item has at most one order at a time. The provider carries out the
 * order exactly once, even when processes die and answers are lost.
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

  /**
   * Sends the first order. Before that, commits the status ORDERED, so that after a crash another replica
   * asks the provider for the order instead of sending a second one.
   */
  async function sendFirstOrder(claimed: Claimed<Item>): Promise<OrderInput<Outcome> | Saved> {
    const readiness = (await policy.prepare?.(claimed.item)) ?? { state: 'ready' };
    if (readiness.state === 'wait') return { kind: 'wait', until: readiness.until };
    if (readiness.state === 'cancelled') return { kind: 'cancelled' };
    const left = await save(claimed, { kind: 'sending' });
    if (left.decision.verb !== 'send') return left;
    const item = { ...claimed.item, ...left.decision.next };
    return { kind: 'answer', outcome: await policy.order(item, claimed.lease), isFirst: true };
  }

  /**
   * Asks the provider for an order that may have been sent. Sends the order again if the provider does not
   * have it.
   */
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
