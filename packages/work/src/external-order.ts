import { type Clock, Refusal } from '@plataforma/kernel';
import type { Claimed, Lease } from './lease.ts';
import { type Decision, type Finding, nextOrderState, type OrderTerms } from './next-order-state.ts';
import type { OrderState, ProviderOutcome, RefusedOrder } from './order-state.ts';

/** The decision that a service saves and announces, with its finding. */
export interface OrderDecision<Outcome extends ProviderOutcome | RefusedOrder> extends Decision {
  finding: Finding<Outcome>;
}

/** `rest`: the order may not leave before. `cancelled`: it never will. */
export type Readiness = { state: 'ready' } | { state: 'rest'; until: Date } | { state: 'cancelled' };

type Found<Outcome> = Exclude<Outcome, RefusedOrder>;

export interface ExternalOrderPolicy<
  Item extends OrderState,
  Outcome extends ProviderOutcome | RefusedOrder,
  Tx,
  Answer = void,
> extends OrderTerms {
  /** The database's. */
  clock: Clock;
  /** Locks the item's row and hands it over as it is now; commits when `work` has ended. */
  inRow<T>(item: Item, work: (tx: Tx, locked: Item) => Promise<T>): Promise<T>;
  /** Checks or does what the first order needs, such as a debit; called again after a crash. */
  prepare?(item: Item): Promise<Readiness>;
  /**
   * The only call that may move money, under our own id. It demands the lease just before the first byte leaves, and
   * throws when the answer is lost or indefinite.
   */
  order(item: Item, lease: Lease): Promise<Outcome>;
  /** Finds the order at the provider by our own id; null: the provider has none. */
  find(item: Item): Promise<Found<Outcome> | null>;
  /** False: the data for an order is gone, so that one that is not found is only checked. */
  mayOrderAgain?(item: Item): boolean;
  /**
   * Saves `next` and the alarm, and announces the step `verb`, in the transaction that holds the row's lock.
   * Called for a late finding, too. Returns the answer for the caller of `advance`.
   */
  recordFinding(tx: Tx, locked: Item, decision: OrderDecision<Outcome>): Promise<Answer>;
}

export interface ExternalOrder<Item extends OrderState, Answer = void> {
  /**
   * Advances a claimed item as far as possible, and returns the last recorded answer. Throws, once the next
   * check is saved: LeaseOver, PROVIDER_ERROR for an order that the provider no longer shows, or an error of
   * the policy.
   */
  advance(claimed: Claimed<Item>): Promise<Answer>;
}

/** One order outside at a time for each item, exactly once, though processes die and answers are lost. */
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

  async function save({ item, lease }: Claimed<Item>, finding: Finding<Outcome>): Promise<Saved> {
    return policy.inRow(item, async (tx, locked) => {
      const decision = nextOrderState(locked, finding, { ...policy, lease, now: policy.clock() });
      return { decision, answer: await policy.recordFinding(tx, locked, { ...decision, finding }) };
    });
  }

  /** Committed before the order leaves: a replica that claims the item after a crash does not order first. */
  async function orderFirst(claimed: Claimed<Item>): Promise<Finding<Outcome> | Saved> {
    const readiness = (await policy.prepare?.(claimed.item)) ?? { state: 'ready' };
    if (readiness.state === 'rest') return { kind: 'rest', until: readiness.until };
    if (readiness.state === 'cancelled') return { kind: 'cancelled' };
    const left = await save(claimed, { kind: 'leaving' });
    if (left.decision.verb !== 'leave') return left;
    const item = { ...claimed.item, ...left.decision.next };
    return { kind: 'answer', outcome: await policy.order(item, claimed.lease), isFirst: true };
  }

  /** An order that may have left is looked for before it is sent once more. */
  async function follow({ item, lease }: Claimed<Item>): Promise<Finding<Outcome>> {
    const askedAt = policy.clock();
    const found = await policy.find(item);
    if (found) return { kind: 'answer', outcome: found, isFirst: false };
    if (item.status === 'ACCEPTED') throw forgotten();
    const isOrdered = item.status === 'ORDERED' && (policy.mayOrderAgain?.(item) ?? true);
    if (!isOrdered) return { kind: 'not_found', askedAt };
    return { kind: 'answer', outcome: await policy.order(item, lease), isFirst: false };
  }

  async function advance(claimed: Claimed<Item>): Promise<Answer> {
    let finding: Finding<Outcome> | Saved;
    try {
      finding = claimed.item.status === 'STORED' ? await orderFirst(claimed) : await follow(claimed);
    } catch (error) {
      await save(claimed, { kind: 'unknown', error });
      throw error;
    }
    return ('kind' in finding ? await save(claimed, finding) : finding).answer;
  }

  return { advance };
}

function forgotten(): Refusal {
  const message = 'the provider does not show an order it had accepted';
  return new Refusal('provider_fault', 'PROVIDER_ERROR', message);
}
