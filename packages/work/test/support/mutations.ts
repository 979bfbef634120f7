import type { OrderStatus } from '../../src/index.ts';
import type { Outcome } from './provider.ts';
import type { Mutation } from './world.ts';

/** Does not check the lease when an order leaves. */
export const withoutFence: Mutation = (policy) => ({
  ...policy,
  order: (item, lease) => policy.order(item, { ...lease, check() {} }),
});

/** Does not check the lease when a result is saved, so that no result is late. */
export const withoutToken: Mutation = (policy) => ({
  ...policy,
  claimDue() {
    const claimed = policy.claimDue();
    return claimed && { ...claimed, lease: { ...claimed.lease, isSuperseded: () => false } };
  },
});

/** Takes a refusal as final at the next check, even while another order may be on its way. */
export const withoutConfirmation: Mutation = (policy) => ({ ...policy, unconfirmedMs: 0 });

/** Saves the provider's answer instead of the decision. */
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

/** Allows one order only, because its data, such as a card's token, is gone; a failed order is watched. */
export const orderingOnce: Mutation = (policy) => ({
  ...policy,
  mayOrderAgain: () => false,
  watch: { everyMs: 100, forMs: 300 },
});
