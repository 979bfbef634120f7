import { dropChecksOn, type Mutation } from './mutation.ts';

const use = {
  file: 'services/charges/src/checkouts/store/checkouts.ts',
  find: 'AND (uses IS NULL OR taken < uses) AND is_active',
  replace: 'AND is_active',
};

/** Guards of payment links. */
export const linkMutations: readonly Mutation[] = [
  {
    name: 'use of a link',
    breaks: 'a payment link has no more buyers who pay, and is paid no more often, than it has uses',
    needs: { clients: 'more buyers at a payment link, at the same moment, than it has uses' },
    edits: [use],
    sql: [{ service: 'charges', statement: dropChecksOn('payment_links', 'taken') }],
    shows: /^a payment link that is paid more often than it has uses/,
  },
];
