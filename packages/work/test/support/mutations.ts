import type { OrderStatus } from '../../src/index.ts';
import type { Outcome } from './provider.ts';
import type { Mutation } from './world.ts';

/** The lease is not asked when an order leaves. */
export const withoutFence: Mutation = (policy) => ({
  ...policy,
  order: (item, lease) => policy.order(item, { ...lease, check() {} }),
});

/** The lease is not asked when a result is saved: none of them is late. */
export const withoutToken: Mutation = (policy) => ({
  ...policy,
  claim() {
    const claimed = policy.claim();
    return claimed && { ...claimed, lease: { ...claimed.lease, isSuperseded: () => false } };
  },
});

/** A refusal is the last word at the next look, however long another order may be on its way. */
export const withoutConfirmation: Mutation = (policy) => ({ ...policy, unconfirmedMs: 0 });

/** A service saves what the provider has answered, not what was decided. */
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

/** The data for an order is gone after the first one, as a card's token is; a failed order is watched. */
export const orderingOnce: Mutation = (policy) => ({
  ...policy,
  mayOrderAgain: () => false,
  watch: { everyMs: 100, forMs: 300 },
});
