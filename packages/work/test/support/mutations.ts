import type { OrderStatus } from '../../src/index.ts';
import type { Outcome } from './provider.ts';
import type { Mutation } from './world.ts';

/** A wrong policy that does not check the lease before an order is sent. */
export const withoutFence: Mutation = (policy) => ({
  ...policy,
  order: (item, lease) => policy.order(item, { ...lease, check() {} }),
});

/** A wrong policy that does not check the lease before a result is saved, so no result counts as late. */
export const withoutToken: Mutation = (policy) => ({
  ...policy,
  claimDue() {
    const claimed = policy.claimDue();
    return claimed && { ...claimed, lease: { ...claimed.lease, isSuperseded: () => false } };
  },
});

/**
 * A wrong policy that treats a refusal as final at the next check, even while another order may be on its
 * way.
 */
export const withoutConfirmation: Mutation = (policy) => ({ ...policy, unconfirmedMs: 0 });

/** A wrong policy that saves the provider's answer in place of the decision. */
export const writingOver: Mutation = (policy) => ({
  ...policy,
  recordDecision(tx, locked, decision) {
    const { input, isLate, next } = decision;
    const status = isLate && input.kind === 'answer' ? statusBy[input.outcome.state] : next.status;
    return policy.recordDecision(tx, locked, { ...decision, next: { ...next, status } });
  },
});

const statusBy: { [State in Outcome['state']]: OrderStatus } = {
  accepted: 'ACCEPTED',
  done: 'DONE',
  failed: 'FAILED',
  refused: 'FAILED',
  sent_back_by_bank: 'FAILED',
};

/**
 * A policy that never sends an order again, because data of the order, such as a card token, is no longer
 * stored. After a failure it continues to check whether the provider still executes the order.
 */
export const orderingOnce: Mutation = (policy) => ({
  ...policy,
  mayOrderAgain: () => false,
  watch: { everyMs: 100, forMs: 300 },
});
