/**
 * Texts that `pnpm lint` accepts although they break a rule: at most ten. `path` is the beginning of the
 * file's path. `text` is the complete name, or a part of the sentence or line, that breaks the rule.
 */
export const exceptions: readonly { path: string; text: string; reason: string }[] = [
  {
    path: 'packages/lab/src/mutants/RESULTS.md',
    text: 'told',
    reason: 'The record of a run quotes code and test titles of its commit.',
  },
  {
    path: 'packages/lab/src/chaos/RESULTS.md',
    text: '031_failing_endpoints',
    reason: 'The record of a run lists the migrations between its two commits.',
  },
  { path: 'services/', text: 'note', reason: 'The API field and column of alarms, and a column of payouts.' },
  { path: 'packages/service/src/alarms.ts', text: 'note', reason: 'The API field of alarms.' },
  { path: 'packages/lab/src/bench/', text: 'note', reason: 'The column of the printed tables.' },
  {
    path: 'services/withdrawals/src/store/payout-alarms.ts',
    text: 'told',
    reason: 'The column of the table.',
  },
  { path: 'services/charges/', text: 'seen', reason: 'The column of the table `reconciliations`.' },
  { path: 'services/ledger/', text: 'turn', reason: 'The column of the table `book_checks`.' },
  { path: 'services/ledger/', text: 'place', reason: 'The column of the table `book_checks`.' },
  { path: 'services/ledger/src/store/journal.ts', text: 'wanted', reason: 'The column of an SQL function.' },
];
