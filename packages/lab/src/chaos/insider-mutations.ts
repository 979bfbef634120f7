import type { Mutation } from './mutation.ts';

/** Mutations that each remove a guard against an operator who acts alone. */
export const insiderMutations: readonly Mutation[] = [
  {
    name: 'proposal check',
    breaks: 'another operator approves what moves money or gives more power',
    edits: [
      {
        file: 'packages/service/src/proposals/decide.ts',
        find: "decideApproval(null, { operatorId, active, now }) === 'alone';",
        replace: "decideApproval(null, { operatorId, active, now }) !== 'same';",
      },
    ],
    shows: /an operator alone (?:adjusted|released|created|raised|set|completed)/,
    needs: { faults: ['one FINANCE alone', 'one ADMIN alone'] },
  },
  {
    name: 'operator sums',
    breaks: 'one operator decides about money only up to the sum of a day',
    edits: [
      {
        file: 'services/gateway/src/operations/count-decision.ts',
        find: ' + amount > decision.limit) return false;',
        replace: ' + amount > Infinity) return false;',
      },
    ],
    shows: /beyond the sum of a day/,
    needs: { faults: ['one FINANCE alone'] },
  },
];
