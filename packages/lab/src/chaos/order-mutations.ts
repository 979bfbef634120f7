import type { Mutation } from './mutation.ts';

/** Matches findings about a refund or withdrawal that the platform gave up and the provider paid. */
const MOVED_NEVERTHELESS =
  /which \S+ says was refused|was to go back, and|its money is back, and the bank has paid it/;

/** Mutations that each remove a guard. Each guard matters when a second replica resumes an order. */
export const orderMutations: readonly Mutation[] = [
  {
    name: 'order fence',
    breaks: 'an order leaves within its lease or not at all',
    edits: [
      {
        file: 'packages/work/src/lease.ts',
        find: '      if (clock() >= until) throw new LeaseOver();',
        replace: '',
      },
    ],
    shows: MOVED_NEVERTHELESS,
    needs: {
      faults: ['order held before it leaves'],
      clients: 'refunds and withdrawals, which a second replica orders while the first stands still',
    },
  },
  {
    name: 'unconfirmed refusal',
    breaks: 'the refusal of a later order does not decide the first order, which may still be done',
    edits: [
      {
        file: 'packages/work/src/next-order-state.ts',
        find: "return input.isFirst ? 'refuse' : 'unconfirm';",
        replace: "return 'refuse';",
      },
    ],
    shows: MOVED_NEVERTHELESS,
    needs: {
      faults: ['order held on its way'],
      clients: 'refunds and withdrawals, whose first orders arrive when second ones were refused',
    },
  },
];
