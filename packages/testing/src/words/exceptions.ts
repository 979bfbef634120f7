import type { Fault } from './rules.ts';

interface Exception {
  /** The beginning of the file's path. */
  path: string;
  rule: Fault['rule'];
  /** The complete name, or a part of the sentence or line, that breaks the rule. */
  text: string;
  reason: string;
}

/** Texts that `pnpm lint` accepts although they break a rule: at most ten. */
export const exceptions: readonly Exception[] = [
  {
    path: 'packages/lab/src/mutants/RESULTS.md',
    rule: 'word',
    text: 'told',
    reason: 'The record of a run quotes code and test titles of its commit.',
  },
  {
    path: 'packages/lab/src/chaos/RESULTS.md',
    rule: 'cell',
    text: '031_failing_endpoints',
    reason: 'The record of a run lists the migrations between its two commits.',
  },
  {
    path: 'services/',
    rule: 'name',
    text: 'note',
    reason: 'The API field and column of alarms, and a column of payouts.',
  },
  { path: 'packages/service/src/alarms.ts', rule: 'name', text: 'note', reason: 'The API field of alarms.' },
  {
    path: 'packages/lab/src/bench/',
    rule: 'name',
    text: 'note',
    reason: 'The column of the printed tables.',
  },
  {
    path: 'services/withdrawals/src/store/payout-alarms.ts',
    rule: 'name',
    text: 'told',
    reason: 'The column of the table.',
  },
  {
    path: 'services/charges/',
    rule: 'name',
    text: 'seen',
    reason: 'The column of the table `reconciliations`.',
  },
  { path: 'services/ledger/', rule: 'name', text: 'turn', reason: 'The column of the table `book_checks`.' },
  { path: 'services/ledger/', rule: 'name', text: 'place', reason: 'The column of the table `book_checks`.' },
  {
    path: 'services/ledger/src/store/journal.ts',
    rule: 'name',
    text: 'wanted',
    reason: 'The column of an SQL function.',
  },
];

export function isExcepted(path: string, { rule, text }: Pick<Fault, 'rule' | 'text'>): boolean {
  return exceptions.some(
    (each) =>
      each.rule === rule &&
      path.startsWith(each.path) &&
      (rule === 'name' ? text === each.text : text.includes(each.text)),
  );
}
